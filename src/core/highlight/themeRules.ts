import { asList, asObject, asString, isObject, type JsonObject } from '../json';

/** Colours for a selector of scopes, as TextMate has them. */
export interface TokenRule {
  scope?: string | string[];
  settings: { foreground?: string };
}

/** The scopes behind the simple names of `editor.tokenColorCustomizations`. */
const GROUPS: Readonly<Record<string, string[]>> = {
  comments: ['comment', 'punctuation.definition.comment'],
  strings: ['string', 'meta.embedded.assembly'],
  keywords: ['keyword - keyword.operator', 'keyword.control', 'storage', 'storage.type'],
  numbers: ['constant.numeric'],
  types: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  functions: ['entity.name.function', 'support.function'],
  variables: ['variable', 'entity.name.variable'],
};

/** A colour that a theme may give: `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`. */
export function readColor(value: unknown): string | undefined {
  const text = asString(value);
  return text !== undefined && /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text) ? text : undefined;
}

/** The rules in the `tokenColors` of a theme, or in the `settings` of an older one; what is none is left out. */
export function readRules(value: unknown): TokenRule[] {
  return asList(value).flatMap((item) => {
    const { scope, settings } = asObject(item);
    const rule: TokenRule = { settings: {} };
    const foreground = readColor(asObject(settings)['foreground']);
    if (foreground !== undefined) rule.settings.foreground = foreground;
    if (scope === undefined) return foreground === undefined ? [] : [rule];
    const scopes = asList(scope).filter((one) => typeof one === 'string');
    const selector = asString(scope) ?? (scopes.length > 0 ? scopes : undefined);
    return selector === undefined ? [] : [{ ...rule, scope: selector }];
  });
}

/** The rules of `editor.tokenColorCustomizations` for a theme, those for it alone last. */
export function customRules(customizations: unknown, themeName: string): TokenRule[] {
  const all = asObject(customizations);
  const own = Object.entries(all).flatMap(([key, value]) =>
    isFor(key, themeName) && isObject(value) ? rulesOf(value) : [],
  );
  return [...rulesOf(all), ...own];
}

function rulesOf(part: JsonObject): TokenRule[] {
  const simple = Object.entries(GROUPS).flatMap(([group, scope]) => {
    const value = part[group];
    const foreground = readColor(isObject(value) ? value['foreground'] : value);
    return foreground === undefined ? [] : [{ scope, settings: { foreground } }];
  });
  return [...simple, ...readRules(part['textMateRules'])];
}

/** `[Name]`, several of them one after the other, `*` for any text at the ends. */
function isFor(key: string, themeName: string): boolean {
  if (!/^(\[[^\]]*\])+$/.test(key)) return false;
  return [...key.matchAll(/\[([^\]]*)\]/g)].some(([, name = '']) => {
    const pattern = name.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${pattern.join('.*')}$`).test(themeName);
  });
}
