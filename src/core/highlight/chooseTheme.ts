import { asList, asObject, asString } from '../json';

/** The kinds of theme that the editor has. */
export type ThemeKind = 'dark' | 'light' | 'hcDark' | 'hcLight';

/** A colour theme as an extension contributes it. */
export interface ContributedTheme {
  /** What the settings call it. */
  name: string;
  kind: ThemeKind;
  /** Folder of the extension, and the path of the theme in it. */
  folder: string;
  path: string;
}

/** What the settings say about themes. */
export interface ThemeSettings {
  colorTheme: unknown;
  preferredDark: unknown;
  preferredLight: unknown;
  preferredHcDark: unknown;
  preferredHcLight: unknown;
  detectScheme: boolean;
  detectHighContrast: boolean;
}

const KINDS: Readonly<Record<string, ThemeKind>> = {
  vs: 'light',
  'vs-dark': 'dark',
  'hc-black': 'hcDark',
  'hc-light': 'hcLight',
};

/** The themes in the manifest of an extension. */
export function contributedThemes(manifest: unknown, folder: string): ContributedTheme[] {
  return asList(asObject(asObject(manifest)['contributes'])['themes']).flatMap((item) => {
    const { id, label, path, uiTheme } = asObject(item);
    const name = asString(id) ?? asString(label);
    const file = asString(path);
    if (name === undefined || file === undefined) return [];
    return [{ name, kind: KINDS[asString(uiTheme) ?? ''] ?? 'light', folder, path: file }];
  });
}

/**
 * The theme that is on screen: the one that the settings name for the kind that is shown. Undefined where there is none, as while
 * another one is tried out.
 */
export function activeTheme(
  themes: readonly ContributedTheme[],
  settings: ThemeSettings,
  kind: ThemeKind,
): ContributedTheme | undefined {
  for (const name of themeNames(settings, kind)) {
    const found = themes.find((theme) => theme.name === name && theme.kind === kind);
    if (found) return found;
  }
  return undefined;
}

/** What the settings call the theme that is on screen, the likeliest first. */
export function themeNames(settings: ThemeSettings, kind: ThemeKind): string[] {
  const { colorTheme, preferredDark, preferredLight, preferredHcDark, preferredHcLight } = settings;
  const preferred = {
    dark: preferredDark,
    light: preferredLight,
    hcDark: preferredHcDark,
    hcLight: preferredHcLight,
  }[kind];
  const isHighContrast = kind === 'hcDark' || kind === 'hcLight';
  const detected = isHighContrast ? settings.detectHighContrast : settings.detectScheme;
  return (detected ? [preferred, colorTheme] : [colorTheme]).filter((name) => typeof name === 'string');
}
