import { join } from 'node:path';
import type { DisposableStore } from '../../core/lifecycle';
import { editorTheme, onDidChangeTheme } from './editorTheme';
import { Highlighter } from './highlighter';

/** ms for which the thread is kept without a question. */
const LINGER = 5 * 60_000;
/** ms that an answer may take, the start of the thread included. */
const LIMIT = 30_000;

/** Connects the highlighter to the theme of the window. */
export function buildHighlighter(
  scope: DisposableStore,
  extensionPath: string,
  log: (line: string) => void,
): Highlighter {
  const file = join(extensionPath, 'dist', 'highlighter.js');
  const highlighter = scope.add(
    new Highlighter({ file, theme: editorTheme, linger: LINGER, limit: LIMIT, log }),
  );
  scope.add(onDidChangeTheme(() => highlighter.themeChanged()));
  return highlighter;
}
