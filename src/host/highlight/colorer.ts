import { createShikiPrimitive, type LanguageRegistration, type ThemeRegistration } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { EncodedTokenMetadata, INITIAL, type StateStack } from 'shiki/textmate';
import type { HighlightAnswer, HighlightRequest, LineRuns } from '../../core/highlight/messages';
import { readColor, type TokenRule } from '../../core/highlight/themeRules';

/** Blocks whose state is kept; the one that was not asked for longest is forgotten. */
const MAX_BLOCKS = 64;
/** Longer lines stay plain. */
const MAX_LINE = 5_000;
/** ms for one line, after which its rest stays plain: the first ones of a language take long. */
const LINE_LIMIT = 5_000;

/** What is only loaded when it is needed. */
export interface ColorerParts {
  /** The engine of the regular expressions. */
  wasm: () => Promise<Uint8Array>;
  /** A grammar after those that it embeds; undefined where there is none of that name. */
  grammar: (name: string) => Promise<LanguageRegistration[] | undefined>;
}

type Primitive = ReturnType<typeof createShikiPrimitive>;

interface BlockState {
  grammar: string;
  /** Lines that are behind the state. */
  lines: number;
  state: StateStack;
}

/** Colours lines of code and goes on where it was in each block. It does one thing after the other. */
export class Colorer {
  private readonly blocks = new Map<string, BlockState>();
  private primitive: Promise<Primitive> | undefined;
  private theme: ThemeRegistration = { name: 'theme 0', settings: [] };
  private themes = 0;
  private colorMap: readonly string[] | undefined;

  constructor(private readonly parts: ColorerParts) {}

  /** Takes other colours from now on; what was begun with those before must begin anew. */
  setTheme(foreground: string, rules: readonly TokenRule[]): void {
    const settings = [{ settings: { foreground } }, ...rules];
    this.theme = { name: `theme ${++this.themes}`, fg: foreground, bg: '#000000', settings };
    this.colorMap = undefined;
    this.blocks.clear();
  }

  /**
   * @param key names the block among those of all pages
   * @throws Error where the engine or the grammar can't be loaded
   */
  async highlight(key: string, request: HighlightRequest): Promise<HighlightAnswer> {
    const { block, from, grammar, text } = request;
    const primitive = await this.load(grammar);
    if (!primitive) return { type: 'noTokens', block, why: 'plain' };
    const palette = new Palette(this.colors(primitive));
    const state = this.takeState(key, request);
    if (!state) return { type: 'noTokens', block, why: 'forgotten' };
    const lines = text.split('\n').map((line) => colorLine(primitive, state, line, palette));
    this.keepState(key, state);
    return { type: 'tokens', block, from, colors: palette.colors, lines };
  }

  private takeState(key: string, { from, grammar }: HighlightRequest): BlockState | undefined {
    const kept = this.blocks.get(key);
    this.blocks.delete(key);
    if (from === 0) return { grammar, lines: 0, state: INITIAL };
    return kept?.grammar === grammar && kept.lines === from ? kept : undefined;
  }

  private keepState(key: string, state: BlockState): void {
    this.blocks.set(key, state);
    const [oldest] = this.blocks.keys();
    if (this.blocks.size > MAX_BLOCKS && oldest !== undefined) this.blocks.delete(oldest);
  }

  private colors(primitive: Primitive): readonly string[] {
    if (!this.colorMap) {
      primitive.loadThemeSync(this.theme);
      this.colorMap = primitive.setTheme(this.theme.name ?? '').colorMap;
    }
    return this.colorMap;
  }

  private async load(name: string): Promise<Primitive | undefined> {
    this.primitive ??= this.start();
    const primitive = await this.primitive;
    if (primitive.getLoadedLanguages().includes(name)) return primitive;
    const grammars = await this.parts.grammar(name);
    if (grammars) primitive.loadLanguageSync(...grammars);
    return grammars && primitive;
  }

  private async start(): Promise<Primitive> {
    const engine = await createOnigurumaEngine(await this.parts.wasm());
    return createShikiPrimitive({ engine, langs: [], themes: [], warnings: false });
  }
}

/** The colours of one answer, numbered as they come. */
class Palette {
  readonly colors: string[] = [];
  private readonly indexes = new Map<number, number>();

  constructor(private readonly map: readonly string[]) {}

  /** @param id of a colour in the map of the theme, where the first is that of text without a rule */
  indexOf(id: number): number {
    const known = this.indexes.get(id);
    if (known !== undefined) return known;
    const color = id > 1 ? readColor(this.map[id]) : undefined;
    const index = color === undefined ? -1 : this.colors.push(color) - 1;
    this.indexes.set(id, index);
    return index;
  }
}

function colorLine(primitive: Primitive, block: BlockState, line: string, palette: Palette): LineRuns {
  block.lines++;
  if (line.length > MAX_LINE) return [];
  const { tokens, ruleStack } = primitive
    .getLanguage(block.grammar)
    .tokenizeLine2(line, block.state, LINE_LIMIT);
  block.state = ruleStack;
  return runsOf(tokens, line.length, palette);
}

/** Joins neighbours of one colour; what is plain at the end is left out. */
function runsOf(tokens: Uint32Array, length: number, palette: Palette): LineRuns {
  const runs: LineRuns = [];
  for (let i = 0; i < tokens.length; i += 2) {
    const color = palette.indexOf(EncodedTokenMetadata.getForeground(tokens[i + 1] ?? 0));
    const size = Math.min(tokens[i + 2] ?? length, length) - (tokens[i] ?? 0);
    if (size <= 0) continue;
    if (runs.at(-1) === color) runs[runs.length - 2] = (runs.at(-2) ?? 0) + size;
    else runs.push(size, color);
  }
  if (runs.at(-1) === -1) runs.length -= 2;
  return runs;
}
