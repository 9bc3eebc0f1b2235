import { integer, REFUSED, text, type Fields, type Guard } from '../chat/guards';

/** Most lines of one question. */
export const MAX_LINES = 200;
/** Most UTF-16 units of one question; a line that would not fit is sent empty. */
export const MAX_TEXT = 60_000;

/** Complete lines of a code block, to be coloured. Those before them were sent before, in order. */
export interface HighlightRequest {
  type: 'highlight';
  /** Names the block in this page. */
  block: number;
  /** Index of the first line, 0-based; 0 begins the block anew. */
  from: number;
  /** Name of the grammar. */
  grammar: string;
  /** The lines, without the end of the last one. */
  text: string;
}

/** A line as its runs: a length in UTF-16 units and an index into the colours, or -1 for the colour of the text, one after the other. */
export type LineRuns = number[];

export type HighlightAnswer =
  | { type: 'tokens'; block: number; from: number; colors: string[]; lines: LineRuns[] }
  /** `forgotten`: the block must be sent from its beginning. `plain`: it stays as it is. */
  | { type: 'noTokens'; block: number; why: 'forgotten' | 'plain' };

/** A name that can't lead to another folder. */
const grammar: Guard<string> = (value) =>
  typeof value === 'string' && /^[a-z][a-z0-9-]{0,30}$/.test(value) ? value : REFUSED;

const lines: Guard<string> = (value) => {
  // Every line has an end, even one that is sent empty.
  const whole = text(MAX_TEXT + MAX_LINES)(value);
  return whole !== REFUSED && whole.split('\n', MAX_LINES + 1).length <= MAX_LINES ? whole : REFUSED;
};

/** Lets in what a page asks; nothing that is larger than a page sends. */
export const highlightFields: Fields<Omit<HighlightRequest, 'type'>> = {
  block: integer(0),
  from: integer(0),
  grammar,
  text: lines,
};
