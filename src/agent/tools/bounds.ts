import { utf8Length } from '../../core/terminal/outputBuffer';
import { firstOf } from '../cutText';

/** Most bytes of text that a tool gives the model at once. */
export const MAX_OUTPUT_BYTES = 100_000;

/** An output with a remark for the model at its end, such as what was left out and how to get it. */
export function withNote(output: string, note: string): string {
  const gap = output === '' ? '' : output.endsWith('\n') ? '\n' : '\n\n';
  return `${output}${gap}[Note: ${note}]`;
}

/** An output without the remark at its end. */
export function withoutNote(output: string): string {
  return output.replace(/(?:^|\n\n)\[Note: [^\n]*\]$/, '');
}

/** The beginning of a text that takes at most so many bytes of UTF-8, cut at a character. */
export function firstBytes(text: string, limit: number): string {
  if (utf8Length(text) <= limit) return text;
  // By a stream, since that holds the half of a character back.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, limit), {
    stream: true,
  });
}

/** The beginning of a text for a message, on one line. */
export function quoted(text: string, limit = 80): string {
  const line = firstOf(text, 4 * limit).replace(/\s*\r?\n\s*/g, '⏎');
  return line.length <= limit && text.length <= 4 * limit ? `"${line}"` : `"${firstOf(line, limit)}…"`;
}
