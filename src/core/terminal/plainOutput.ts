// CSI, OSC and the short escapes of a terminal.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/** Output of a command that came as text, as a terminal would leave it: without escapes, and with what was written over gone. */
export function plainOutput(text: string): string {
  if (!/[\u001b\r\b]/.test(text)) return text;
  return text
    .replace(ESCAPES, '')
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1).replace(/\r$/, ''))
    .map(withoutBackspaces)
    .join('\n');
}

function withoutBackspaces(line: string): string {
  if (!line.includes('\b')) return line;
  const shown: string[] = [];
  for (const character of line)
    if (character === '\b') shown.pop();
    else shown.push(character);
  return shown.join('');
}

/** The last line by which some agents tell how a command ended, as in `<… completed with exit code 1>`. */
const EXIT = /(?:^|\n)<[^<>\n]{0,200}\bexit code (-?\d{1,10})>\s*$/;

/** Output without the line that tells how the command ended, and its exit code; `code` is absent where no such line is there. */
export function splitExit(text: string): { text: string; code?: number } {
  // Only the end is looked at: the text may be long.
  const from = Math.max(0, text.length - 300);
  const found = EXIT.exec(text.slice(from));
  if (!found) return { text };
  return { text: text.slice(0, from + found.index), code: Number(found[1]) };
}
