import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { parsePlist } from '../../core/highlight/plist';
import { readColor, readRules, type TokenRule } from '../../core/highlight/themeRules';
import { asObject, asString } from '../../core/json';

/** Themes that include each other; more are taken for a circle. */
const MAX_INCLUDES = 16;

/** The rules of a theme, and the colour of text that none of them is for. */
export interface LoadedTheme {
  foreground: string | undefined;
  rules: TokenRule[];
}

/**
 * Reads a colour theme of VS Code with all that it includes.
 *
 * @throws Error where a file can't be read
 */
export async function loadTheme(file: string, depth = 0): Promise<LoadedTheme> {
  if (depth > MAX_INCLUDES) throw new Error('The theme includes itself.');
  const text = await readFile(file, 'utf8');
  if (isPlist(file, text)) return ofRules(readRules(asObject(parsePlist(text))['settings']));
  const { include, colors, tokenColors, settings } = asObject(parse(text, [], { allowTrailingComma: true }));
  const beside = (path: string): string => resolve(dirname(file), path);
  const included = asString(include);
  const base = included === undefined ? ofRules([]) : await loadTheme(beside(included), depth + 1);
  const path = asString(tokenColors);
  const own =
    path === undefined
      ? ofRules(readRules(tokenColors ?? settings))
      : await loadTheme(beside(path), depth + 1);
  const foreground = readColor(asObject(colors)['editor.foreground']);
  return {
    foreground: foreground ?? own.foreground ?? base.foreground,
    rules: [...base.rules, ...own.rules],
  };
}

const isPlist = (file: string, text: string): boolean => /\.tmTheme$/i.test(file) || /^\s*<\?xml/.test(text);

/** A rule without a scope is for all text. */
function ofRules(rules: TokenRule[]): LoadedTheme {
  const general = rules.findLast(({ scope }) => scope === undefined);
  return {
    foreground: general?.settings.foreground,
    rules: rules.filter(({ scope }) => scope !== undefined),
  };
}
