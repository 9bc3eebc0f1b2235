import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

/** Longest formula in characters; a longer one is text. */
export const MAX_FORMULA = 5_000;

/** Delimiters of formulas that stand in blocks of their own. */
const CLOSING: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' };

const DOLLAR = 36;
const BACKSLASH = 92;

/** Teaches a parser formulas: `$$…$$` and `\[…\]` as blocks and in a line, `\(…\)` and `$…$` in a line. */
export function addMath(parser: MarkdownIt): void {
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  parser.block.ruler.after('fence', 'math_block', blockRule, { alt });
  parser.inline.ruler.before('escape', 'math_inline', inlineRule);
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
}

/** The delimiter that a line opens a block with; what follows on the line alone decides it. */
function opening(line: string): string | undefined {
  const open = line.slice(0, 2);
  const close = CLOSING[open];
  if (close === undefined) return undefined;
  const rest = line.slice(2);
  const closed = rest.indexOf(close);
  // A formula that text follows stands in a line.
  if (closed >= 0) return closed === rest.length - close.length ? open : undefined;
  // An escaped bracket begins many a line that is no formula.
  return open === '$$' || /^\s|^$/.test(rest) ? open : undefined;
}

/**
 * A block begins with the first line and ends with the line that closes it, at a blank line, or where what holds it ends: all are
 * known when they are there, so nothing that comes later moves the end. One that is not closed is a paragraph.
 */
function blockRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const open = opening(lineOf(state, startLine));
  if (open === undefined) return false;
  if (silent) return true;
  const { next, closed } = endOf(state, { startLine, endLine, close: CLOSING[open] ?? '' });
  const content = state.getLines(startLine, next, state.blkIndent, false).trim();
  state.line = next;
  const tex = content.slice(2, -2).trim();
  if (closed && isFormula(tex)) {
    const token = state.push('math_block', 'math', 0);
    token.map = [startLine, next];
    token.content = tex;
    token.markup = open;
    token.block = true;
  } else pushParagraph(state, content, [startLine, next]);
  return true;
}

function endOf(
  state: StateBlock,
  { startLine, endLine, close }: { startLine: number; endLine: number; close: string },
): { next: number; closed: boolean } {
  const first = lineOf(state, startLine);
  let closed = first.length > 3 && first.endsWith(close);
  let next = startLine + 1;
  while (!closed && next < endLine && !state.isEmpty(next)) {
    if ((state.sCount[next] ?? 0) < state.blkIndent) break;
    closed = lineOf(state, next).endsWith(close);
    next++;
  }
  return { next, closed };
}

function pushParagraph(state: StateBlock, content: string, map: [number, number]): void {
  state.push('paragraph_open', 'p', 1).map = map;
  const inline = state.push('inline', '', 0);
  inline.content = content;
  inline.map = map;
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
}

/** Escaped punctuation is no formula. */
function isFormula(tex: string): boolean {
  return tex.length <= MAX_FORMULA && /[\p{L}\p{N}]/u.test(tex);
}

function inlineRule(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const code = src.charCodeAt(pos);
  if (code === DOLLAR)
    return src.charCodeAt(pos + 1) === DOLLAR ? doubled(state, silent) : single(state, silent);
  if (code !== BACKSLASH) return false;
  const open = src.slice(pos, pos + 2);
  if (open === '\\(') return delimited(state, silent, { open, close: '\\)' });
  return open === '\\[' && delimited(state, silent, { open, close: '\\]' });
}

/** Dollars that open nothing are text as a whole: none of them opens a formula of one dollar. */
function doubled(state: StateInline, silent: boolean): boolean {
  if (delimited(state, silent, { open: '$$', close: '$$' })) return true;
  let end = state.pos;
  while (end < state.posMax && state.src.charCodeAt(end) === DOLLAR) end++;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}

function delimited(
  state: StateInline,
  silent: boolean,
  { open, close }: { open: string; close: string },
): boolean {
  const start = state.pos + 2;
  const end = closingAt(state, start, close);
  const tex = end < 0 ? '' : state.src.slice(start, end).trim();
  if (!isFormula(tex)) return false;
  push(state, silent, { tex, markup: open, end: end + 2 });
  return true;
}

/** Where the delimiter next stands that no backslash escapes; -1 if nowhere. */
function closingAt({ src, posMax }: StateInline, start: number, close: string): number {
  const limit = Math.min(posMax, start + MAX_FORMULA + close.length);
  // Most delimiters are never closed, and this tells it at once.
  if (!src.slice(start, limit).includes(close)) return -1;
  for (let at = start; at + close.length <= limit; at++) {
    if (src.startsWith(close, at)) return at;
    if (src.charCodeAt(at) === BACKSLASH) at++;
  }
  return -1;
}

/** A number and a word: a price, up to the sign of the next. */
const AMOUNT = /^\d[\d.,]*;?\s+[A-Za-z]{2}/;

/** `$…$` without blanks inside its dollars and with no word or number right after them, so that prices and variables are text. */
function single(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const end = closingAt(state, pos + 1, '$');
  const tex = end < 0 ? '' : src.slice(pos + 1, end);
  const isMath =
    isFormula(tex) &&
    !/^\s|\s$|`/.test(tex) &&
    !AMOUNT.test(tex) &&
    !/[\w$]/.test(src.charAt(pos - 1)) &&
    isEnd(src, end + 1);
  if (isMath) push(state, silent, { tex, markup: '$', end: end + 1 });
  return isMath;
}

function isEnd(src: string, at: number): boolean {
  return !/[\w$]/.test(src.charAt(at)) || /^(?:st|nd|rd|th|s)(?!\w)/.test(src.slice(at, at + 3));
}

function push(
  state: StateInline,
  silent: boolean,
  { tex, markup, end }: { tex: string; markup: string; end: number },
): void {
  if (!silent) {
    const token = state.push('math_inline', 'math', 0);
    token.content = tex;
    token.markup = markup;
  }
  state.pos = end;
}
