/** Longest output of a command that is kept, in characters. */
const MAX_TERMINAL_TEXT = 64 * 1024;

/** The last part of a text that comes in pieces; what is kept between two pieces is at most twice the limit. */
export class TextTail {
  private text = '';
  private cut = false;

  constructor(private readonly limit = MAX_TERMINAL_TEXT) {}

  push(piece: string): void {
    this.text += piece;
    if (this.text.length > 2 * this.limit) this.shorten();
  }

  /** True where the beginning is missing. */
  get isCut(): boolean {
    return this.cut || this.text.length > this.limit;
  }

  /** The last part, from the beginning of a line where something is missing before it. */
  read(): string {
    if (this.text.length > this.limit) this.shorten();
    return this.cut ? this.text.slice(this.text.indexOf('\n') + 1) : this.text;
  }

  private shorten(): void {
    this.cut = true;
    this.text = this.text.slice(-this.limit);
  }
}

// Operating system commands and other strings, then control sequences, then what is left of escapes.
const ESCAPES =
  /\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** The output of a terminal as plain text: no escapes, and of lines that were written over only what was left to read. */
export function terminalText(output: string): string {
  const plain = output.replace(ESCAPES, '').replace(/\r+\n/g, '\n');
  return plain
    .split('\n')
    .map((line) => overwritten(line))
    .join('\n');
}

/** Times that a line is written over of which the rest is looked at. */
const LAST_PARTS = 50;

/** What is to be seen of a line with carriage returns and backspaces. */
function overwritten(line: string): string {
  let shown = '';
  for (const part of line.split('\r').slice(-LAST_PARTS)) {
    const text = erased(part);
    shown = text + shown.slice(text.length);
  }
  // No bells and the like in a text.
  return shown.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}

/** The text without backspaces and the characters before them. */
function erased(text: string): string {
  if (!text.includes('\b')) return text;
  const kept: string[] = [];
  for (const character of text) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}

/** A command of a terminal and its output. */
export interface TerminalCommand {
  command: string;
  output: string;
  /** True where the beginning of the output is missing. */
  isCut: boolean;
  /** Undefined where the shell did not tell it. */
  exitCode: number | undefined;
  /** False while it runs. */
  ended: boolean;
}

/** A command with its output as text for the agent. */
export function terminalCommandText({ command, output, isCut, exitCode, ended }: TerminalCommand): string {
  const state = ended ? (exitCode === undefined ? '' : `(exit code ${exitCode})`) : '(still running)';
  const text = terminalText(output).replace(/\s+$/, '');
  // The editor does not tell the output of a command that has ended at once.
  const body = text === '' && ended ? '(no output is known)' : text;
  return [`$ ${command}`, ...(isCut ? ['(the beginning is cut)'] : []), body, state]
    .filter((line) => line !== '')
    .join('\n');
}
