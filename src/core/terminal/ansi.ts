import type { StyledRun } from '../session/state';

/** Lines as text with the escapes that a terminal needs to show them as they are, each ended by CRLF. */
export function toAnsi(lines: readonly (readonly StyledRun[])[]): string {
  return lines.map((line) => `${line.map(runText).join('')}\r\n`).join('');
}

function runText(run: StyledRun): string {
  const codes = [
    ...(run.bold ? ['1'] : []),
    ...(run.dim ? ['2'] : []),
    ...(run.italic ? ['3'] : []),
    ...(run.underline ? ['4'] : []),
    ...colour(run.fg, 30),
    ...colour(run.bg, 40),
  ];
  return codes.length === 0 ? run.text : `\u001b[${codes.join(';')}m${run.text}\u001b[0m`;
}

/** `base` is 30 for the text and 40 for what is behind it. */
function colour(value: string | undefined, base: number): string[] {
  if (value === undefined) return [];
  if (value.startsWith('#')) {
    const parts = [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16));
    return [`${base + 8};2;${parts.join(';')}`];
  }
  const index = Number(value);
  return [String(index < 8 ? base + index : base + 52 + index)];
}
