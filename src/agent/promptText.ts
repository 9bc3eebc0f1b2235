import { WireError } from '../core/errors';
import { asString, isObject } from '../core/json';
import { fileURLToPath } from 'node:url';
import { shownPath } from './access/paths';
import { firstOf } from './cutText';

const TITLE_LENGTH = 60;

/** A prompt as text. A link to a file stands in it as the file's path, so that "read" and a mention of a file work together. */
export function promptText(blocks: unknown, cwd: string): string {
  if (!Array.isArray(blocks)) throw WireError.invalidParams('"prompt" must be a list of content blocks.');
  return blocks
    .map((block: unknown) => blockText(block, cwd))
    .reduce(
      (all, text) => (all === '' || /\s$/.test(all) || /^\s/.test(text) ? all + text : `${all} ${text}`),
      '',
    );
}

/** A title from the first prompt: its first line, cut at a word. */
export function titleOf(prompt: string): string | undefined {
  const line = prompt.trim().split('\n')[0]?.trim() ?? '';
  if (line.length <= TITLE_LENGTH) return line === '' ? undefined : line;
  const cut = firstOf(line, TITLE_LENGTH);
  return `${cut.slice(0, cut.lastIndexOf(' ') > 20 ? cut.lastIndexOf(' ') : TITLE_LENGTH)}…`;
}

function blockText(block: unknown, cwd: string): string {
  const { type, text, uri } = isObject(block) ? block : {};
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'resource_link' && typeof uri === 'string') return linkText(uri, cwd);
  throw WireError.invalidParams('Only text and resource links are taken.', { type: asString(type) ?? null });
}

function linkText(uri: string, cwd: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    const path = shownPath({ cwd }, fileURLToPath(uri));
    return /\s/.test(path) ? `"${path}"` : path;
  } catch {
    return uri; // A host that this platform has no paths for.
  }
}
