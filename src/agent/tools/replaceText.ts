import { lineEndOf, withLineEnd } from '../../core/files/eol';
import { quoted } from './bounds';
import { ToolFailure } from './tool';

/** Most lines that a failure names. */
const MAX_NAMED_LINES = 10;

export interface Replacement {
  oldText: string;
  newText: string;
  /** Everywhere, and not only in the one place where the text is. */
  all: boolean;
}

/**
 * Replaces a text. Where it differs from the file only in its line ends, it is taken with those of the file; the new text gets them in
 * any case.
 *
 * @throws ToolFailure where the text is not there, or is there more than once without `all`.
 */
export function replaceText(
  before: string,
  { oldText, newText, all }: Replacement,
): { after: string; lines: number[] } {
  const found = ownForm(before, oldText);
  if (found === undefined)
    throw new ToolFailure(
      `The text ${quoted(oldText)} is not in the file: it must be given exactly, with its white space. Read the file again.`,
    );
  const lines = linesOf(before, found);
  if (lines.length > 1 && !all)
    throw new ToolFailure(
      `The old text is in the file ${lines.length} times, at lines ${listed(lines)}. Give more of the text around the place that you mean, or "all": true to replace it everywhere.`,
    );
  const end = lineEndOf(found) ?? lineEndOf(before);
  const put = end === undefined ? newText : withLineEnd(newText, end);
  if (put === found) throw new ToolFailure('Nothing would change: the new text is the old one.');
  return { after: before.replaceAll(found, () => put), lines };
}

/** The text as it stands in the file, maybe with other line ends. */
function ownForm(before: string, text: string): string | undefined {
  const forms = [text, withLineEnd(text, '\r\n'), withLineEnd(text, '\n')];
  return forms.find((form) => before.includes(form));
}

/** The 1-based line of each place. */
function linesOf(before: string, text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (let at = before.indexOf(text); at >= 0; at = before.indexOf(text, at + text.length)) {
    line += before.slice(from, at).match(/\r\n|\r|\n/g)?.length ?? 0;
    lines.push(line);
    from = at;
  }
  return lines;
}

/** As in "1, 5 and 9". */
export function listed(lines: readonly number[]): string {
  const named = lines.slice(0, MAX_NAMED_LINES).map(String);
  if (lines.length > MAX_NAMED_LINES) named.push(`${lines.length - MAX_NAMED_LINES} more`);
  const last = named.pop() ?? '';
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`;
}
