import type { ThemeKind } from '../../core/highlight/chooseTheme';
import type { HighlightAnswer, HighlightRequest } from '../../core/highlight/messages';

/** Where the colours come from. */
export interface ThemeSource {
  kind: ThemeKind;
  /** What the settings call the theme; empty where it is not known. */
  name: string;
  /** The theme's file; without it the theme is looked for in `builtIn`, then the default theme of the kind is taken. */
  file?: string;
  /** The folder of the editor's own extensions, of which those with themes may run on another machine. */
  builtIn?: string;
  /** The value of `editor.tokenColorCustomizations`. */
  customizations?: unknown;
}

/** What the thread is told. `key` names the block among those of all pages. */
export type ToHighlighter =
  | { type: 'theme'; theme: ThemeSource }
  | { type: 'highlight'; id: number; key: string; request: HighlightRequest };

/** What it answers. */
export interface FromHighlighter {
  id: number;
  answer: HighlightAnswer;
  /** Why there are no colours, for the log. */
  problem?: string;
}
