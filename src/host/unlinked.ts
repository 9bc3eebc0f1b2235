import { plainMessage } from '../core/attention/attentionQueue';
import { oneLine } from './permission/questionText';

/** UTF-16 units of a message to a person. */
const LONGEST = 1_000;

/**
 * A message for a notification in which nothing is a link: VS Code makes links of `[text](address)`, also to commands, and parts of the
 * message may be an agent's.
 */
export function unlinked(message: string): string {
  return plainMessage(oneLine(message), LONGEST);
}

/** What an error says, as a message for a notification. */
export function unlinkedError(error: unknown): string {
  return unlinked(error instanceof Error ? error.message : String(error));
}
