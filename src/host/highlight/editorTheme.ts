import { join } from 'node:path';
import * as vscode from 'vscode';
import { activeTheme, contributedThemes, themeNames, type ThemeKind } from '../../core/highlight/chooseTheme';
import type { Disposable } from '../../core/lifecycle';
import type { ThemeSource } from './workerMessages';

const KINDS: Readonly<Record<vscode.ColorThemeKind, ThemeKind>> = {
  [vscode.ColorThemeKind.Light]: 'light',
  [vscode.ColorThemeKind.Dark]: 'dark',
  [vscode.ColorThemeKind.HighContrast]: 'hcDark',
  [vscode.ColorThemeKind.HighContrastLight]: 'hcLight',
};

/** Settings on which the colours of code depend. */
const SETTINGS = [
  'workbench.colorTheme',
  'workbench.preferredDarkColorTheme',
  'workbench.preferredLightColorTheme',
  'workbench.preferredHighContrastColorTheme',
  'workbench.preferredHighContrastLightColorTheme',
  'window.autoDetectColorScheme',
  'window.autoDetectHighContrast',
  'editor.tokenColorCustomizations',
];

/** Where the colours of the theme on screen come from. Themes that run on another machine than Parley are not known. */
export function editorTheme(): ThemeSource {
  const read = (setting: string): unknown => vscode.workspace.getConfiguration().get(setting);
  const kind = KINDS[vscode.window.activeColorTheme.kind] ?? 'dark';
  const themes = vscode.extensions.all.flatMap(({ packageJSON, extensionPath }) =>
    contributedThemes(packageJSON, extensionPath),
  );
  const settings = {
    colorTheme: read('workbench.colorTheme'),
    preferredDark: read('workbench.preferredDarkColorTheme'),
    preferredLight: read('workbench.preferredLightColorTheme'),
    preferredHcDark: read('workbench.preferredHighContrastColorTheme'),
    preferredHcLight: read('workbench.preferredHighContrastLightColorTheme'),
    detectScheme: read('window.autoDetectColorScheme') === true,
    detectHighContrast: read('window.autoDetectHighContrast') === true,
  };
  const theme = activeTheme(themes, settings, kind);
  return {
    kind,
    name: theme?.name ?? themeNames(settings, kind)[0] ?? '',
    builtIn: join(vscode.env.appRoot, 'extensions'),
    // A copy: what the editor gives is a proxy, which can't be sent to a thread.
    customizations: JSON.parse(JSON.stringify(read('editor.tokenColorCustomizations') ?? {})) as unknown,
    ...(theme ? { file: join(theme.folder, theme.path) } : {}),
  };
}

/** Tells when the colours may be others. */
export function onDidChangeTheme(listener: () => void): Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveColorTheme(listener),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (SETTINGS.some((setting) => event.affectsConfiguration(setting))) listener();
    }),
  );
}
