import type { Matcher } from './matcher';

const BLOCKS = new Set('P LI H1 H2 H3 H4 H5 H6 TD TH PRE BLOCKQUOTE DIV UL OL TABLE TR'.split(' '));
/** Words of the page inside of texts. */
const NOT_TEXT = '.code-head, button.icon';

interface Piece {
  node: Text;
  /** Where it begins in the text of its block. */
  at: number;
}

interface Run {
  text: string;
  pieces: Piece[];
}

function blockOf(node: Node, root: Element): Element {
  let element = node.parentElement;
  while (element && element !== root && !BLOCKS.has(element.tagName)) element = element.parentElement;
  return element ?? root;
}

/** The texts of an element, one for each block. */
function runsOf(root: Element): Run[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.matches(NOT_TEXT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const runs: Run[] = [];
  let block: Element | undefined;
  let run: Run = { text: '', pieces: [] };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) {
      if (node instanceof HTMLBRElement) run.text += '\n';
      continue;
    }
    const own = blockOf(node, root);
    if (own !== block) runs.push((run = { text: '', pieces: [] }));
    block = own;
    run.pieces.push({ node, at: run.text.length });
    run.text += node.data;
  }
  return runs;
}

function rangeOf({ pieces }: Run, from: number, to: number): Range | undefined {
  const first = pieces.findLast(({ at }) => at <= from);
  const last = pieces.findLast(({ at }) => at < to);
  if (!first || !last) return undefined;
  const range = document.createRange();
  range.setStart(first.node, Math.min(from - first.at, first.node.length));
  range.setEnd(last.node, Math.min(to - last.at, last.node.length));
  return range;
}

/** The places in the drawn texts of an entry, in the order of the page. */
export function rangesIn(entry: Element, where: string, matcher: Matcher): Range[] {
  const elements = entry.matches(where) ? [entry] : [...entry.querySelectorAll(where)];
  return elements.flatMap((element) =>
    runsOf(element).flatMap((run) =>
      matcher.places(run.text).flatMap(({ from, to }) => rangeOf(run, from, to) ?? []),
    ),
  );
}
