import { MAX_LINES, MAX_TEXT } from '../../core/highlight/messages';
import { LINES_PER_BOX } from '../markdown/codeBlock';

/** The complete lines of a code block from one on, as many as fit in a question, none of them at `end` or behind it. */
export function linesFrom(code: Element, from: number, end: number): string[] {
  const found: string[] = [];
  let size = 0;
  for (let at = Math.floor(from / LINES_PER_BOX); at < code.children.length; at++) {
    const lines = (code.children[at]?.textContent ?? '').split('\n').slice(0, -1);
    const first = at * LINES_PER_BOX;
    for (const line of lines.slice(Math.max(0, from - first), Math.max(0, end - first))) {
      size += Math.min(line.length, MAX_TEXT) + 1;
      if (found.length === MAX_LINES || (found.length > 0 && size > MAX_TEXT)) return found;
      found.push(line);
    }
    if (first + LINES_PER_BOX >= end) break;
  }
  return found;
}

/** Whether the complete lines of a code block begin with these. */
export function beginsWith(code: Element, lines: readonly string[]): boolean {
  if (lines.length === 0) return true;
  const begin = `${lines.join('\n')}\n`;
  return (code.textContent ?? '').startsWith(begin);
}

/** Puts nodes that show the same text in the place of some text of a box, whose last part must not be coloured yet. */
export function replaceText(box: Element, at: number, length: number, fresh: DocumentFragment): void {
  let node = box.firstChild;
  let start = at;
  for (; node && start >= (node.textContent ?? '').length; node = node.nextSibling)
    start -= (node.textContent ?? '').length;
  if (node && start > 0) node = (node as Text).splitText(start);
  box.insertBefore(fresh, node);
  for (let rest = length; node && rest > 0;) {
    const text = node as Text;
    const next = node.nextSibling;
    const size = Math.min(rest, text.length);
    if (size < text.length) text.deleteData(0, size);
    else text.remove();
    rest -= size;
    node = next;
  }
}
