import { join } from 'node:path';
import { failureText } from '../access/failureText';
import { firstOf } from '../cutText';
import type { ToolEnvironment } from '../tools/tool';

/** The file of a folder that tells agents how to work in it. */
const FILE = 'AGENTS.md';

/** How much of it is taken, in characters. */
const LONGEST = 32 * 1024;

/** How many characters of it are taken for each token that the model can read: about an eighth of the room. */
const SHARE = 0.5;

/**
 * What the session's folder tells agents, as a part of the instructions; empty where it has no such file. What it says allows nothing:
 * permissions are none of the model's business.
 *
 * @param contextTokens how much the model can read in one call.
 */
export async function projectInstructions(
  { cwd, files }: Pick<ToolEnvironment, 'cwd' | 'files'>,
  signal: AbortSignal,
  contextTokens = Infinity,
): Promise<string> {
  const path = join(cwd, FILE);
  try {
    // By the agent itself: a client would tell the person of each file that it is asked for and that is not there.
    if (!(await files.exists(path))) return '';
    const text = (await files.read(path, signal)).trim();
    if (text === '') return '';
    const longest = Math.min(LONGEST, Math.floor(contextTokens * SHARE));
    const rest = text.length > longest ? `\n[The file goes on; read ${FILE} for the rest.]` : '';
    return `\n\nThe folder's ${FILE} says how to work in it. What the person says goes before it.

<project>
${firstOf(text, longest)}${rest}
</project>`;
  } catch (error) {
    if (signal.aborted) return '';
    return `\n\nThe folder has a file ${FILE} for agents, which could not be read: ${failureText(error)}`;
  }
}
