// Colours of code as the extension would give them: words of a few kinds, and comments over several lines.
const WORDS =
  /\/\*|\*\/|\b(?:const|let|function|return|if|import|export|from|await|async)\b|'[^']*'|\b\d+\b/g;

/** By the theme: those of a keyword, a text or number, and a comment. */
const COLORS = { first: ['#c586c0', '#ce9178', '#6a9955'], second: ['#0000ff', '#a31515', '#008000'] };

const COMMENT = 2;
const kindOf = (word) => (/^\w/.test(word) && !/^\d/.test(word) ? 0 : 1);

/** Whether a comment is open behind the lines that were sent of a block. */
const blocks = new Map();

function runsOf(line, state) {
  const runs = [];
  let at = 0;
  const add = (to, color) => {
    if (to > at) runs.push(to - at, color);
    at = to;
  };
  for (const { 0: word, index } of line.matchAll(WORDS)) {
    if (word === '*/' && state.comment) {
      add(index + 2, COMMENT);
      state.comment = false;
    } else if (!state.comment) {
      add(index, -1);
      if (word === '/*') state.comment = true;
      else if (word !== '*/') add(index + word.length, kindOf(word));
    }
  }
  add(line.length, state.comment ? COMMENT : -1);
  return runs;
}

/** Answers a question of the page, with the colours of a theme. */
export function codeAnswer({ block, from, text }, theme) {
  if (from === 0) blocks.set(block, { lines: 0, comment: false });
  const state = blocks.get(block);
  if (state?.lines !== from) return { type: 'noTokens', block, why: 'forgotten' };
  const lines = text.split('\n').map((line) => runsOf(line, state));
  state.lines += lines.length;
  return { type: 'tokens', block, from, colors: COLORS[theme], lines };
}

/** Forgets all blocks, as the extension forgets those of long ago. */
export const forgetCode = () => blocks.clear();
