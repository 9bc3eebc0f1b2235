import katex from 'katex';
import type { DrawFormula } from '../../lazy';

/** Most expansions of KaTeX's own macros in one formula, of which a mere space needs several, and the largest size in em. */
const LIMITS = { maxExpand: 500, maxSize: 20 };

/** Most characters of markup that one formula becomes. */
const MAX_MARKUP = 200_000;

/** Commands that define macros. A few short ones multiply a formula without end; KaTeX's own don't. */
const DEFINES = new Set(
  'def edef gdef xdef let futurelet newcommand renewcommand providecommand global long'.split(' '),
);

function definesMacros(tex: string): boolean {
  for (const [, name] of tex.matchAll(/\\(?:([a-z@]+)|[^])/gi))
    if (name !== undefined && DEFINES.has(name)) return true;
  return false;
}

/**
 * Draws a formula as MathML, which needs neither fonts nor styles of KaTeX, which the page's policy would refuse.
 *
 * @throws Error that says why the formula can't be drawn, also where it would be too much for the page
 */
export const drawFormula: DrawFormula = (tex, displayMode) => {
  if (definesMacros(tex)) throw new Error('Formulas that define macros are not drawn.');
  const options = { displayMode, output: 'mathml', trust: false, strict: false, ...LIMITS } as const;
  const markup = katex.renderToString(tex, options);
  if (markup.length > MAX_MARKUP) throw new Error('The formula is too large to be drawn.');
  return markup;
};
