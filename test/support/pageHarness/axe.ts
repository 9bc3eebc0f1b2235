import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe found in a page, a line for each rule and element. */
export interface AxeReport {
  violations: string[];
  /** What it can not judge by itself. */
  undecided: string[];
  /** Rules that it tried. */
  rules: number;
}

const LEFT_OUT = ['color-contrast-enhanced', 'hidden-content', 'focus-order-semantics'];

const linesOf = (results: AxeResults['violations']): string[] =>
  results.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, failureSummary }) =>
      [id, target.join(' '), html.slice(0, 160), failureSummary?.replaceAll(/\s+/g, ' ') ?? ''].join(' | '),
    ),
  );

/**
 * Runs every rule of axe, the experimental ones too, on a page as it is now; what comes from a debugger is no matter of the page's
 * policy. Three are left out: the two that ask for more than WCAG's level AA and for a look at hidden things, and
 * `focus-order-semantics`, which wants a landmark for every box that can be scrolled by the keyboard.
 */
export async function runAxe(page: Page): Promise<AxeReport> {
  await page.evaluate(source);
  const results = await page.evaluate<AxeResults>(
    `axe.run(document, { resultTypes: ['violations', 'incomplete'],
       runOnly: axe.getRules().map(({ ruleId }) => ruleId).filter((id) => !${JSON.stringify(LEFT_OUT)}.includes(id)) })`,
  );
  const { passes, violations, incomplete } = results;
  return {
    violations: linesOf(violations),
    undecided: linesOf(incomplete),
    rules: passes.length + violations.length + incomplete.length,
  };
}
