import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import type { ThemeRegistration } from 'shiki/core';
import { contributedThemes, type ThemeKind } from '../../core/highlight/chooseTheme';
import { customRules, readColor, readRules, type TokenRule } from '../../core/highlight/themeRules';
import { loadTheme } from './themeFile';
import type { ThemeSource } from './workerMessages';

/** Text without a rule, where a theme does not say. */
const FOREGROUNDS: Readonly<Record<ThemeKind, string>> = {
  dark: '#bbbbbb',
  light: '#333333',
  hcDark: '#ffffff',
  hcLight: '#292929',
};

/** The themes that are taken where the person's can't be read. */
export type DefaultThemes = Readonly<Record<ThemeKind, () => Promise<{ default: ThemeRegistration }>>>;

/** The colours of a theme with what the person's settings change in it; those of the default theme where it can't be read. */
export async function themeColors(
  source: ThemeSource,
  defaults: DefaultThemes,
): Promise<{ foreground: string; rules: TokenRule[] }> {
  const { kind, name, customizations } = source;
  const file = source.file ?? (await builtInTheme(source));
  const loaded =
    (file === undefined ? undefined : await loadTheme(file).catch(() => undefined)) ??
    (await defaultTheme(defaults[kind]));
  return {
    foreground: loaded.foreground ?? FOREGROUNDS[kind],
    rules: [...loaded.rules, ...customRules(customizations, name)],
  };
}

/** The file of a theme that comes with the editor. */
async function builtInTheme({ builtIn, name, kind }: ThemeSource): Promise<string | undefined> {
  if (builtIn === undefined) return undefined;
  const folders = await readdir(builtIn).catch((): string[] => []);
  for (const folder of folders.filter((one) => one.startsWith('theme-'))) {
    const path = join(builtIn, folder);
    const manifest = await readFile(join(path, 'package.json'), 'utf8').catch(() => '');
    const themes = contributedThemes(parse(manifest) as unknown, path);
    const found = themes.find((theme) => theme.name === name && theme.kind === kind);
    if (found) return join(path, found.path);
  }
  return undefined;
}

async function defaultTheme(load: DefaultThemes[ThemeKind]) {
  const { colors, tokenColors, settings } = (await load()).default;
  return {
    foreground: readColor(colors?.['editor.foreground']),
    rules: readRules(tokenColors ?? settings).filter(({ scope }) => scope !== undefined),
  };
}
