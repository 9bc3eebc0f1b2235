import { readFile } from 'node:fs/promises';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isKey } from '../../core/history/key';
import { asObject } from '../../core/json';
import type { ShownLast } from '../session/archive';

/**
 * Remembers which session the panel showed, in a file of the workspace's storage: VS Code's own memento is written seconds later,
 * which a crash or a quick reload would lose.
 */
export class LastShown {
  constructor(
    private readonly file: string,
    private readonly log: (line: string) => void,
  ) {}

  async read(): Promise<ShownLast | undefined> {
    try {
      const { key, agentId } = asObject(JSON.parse(await readFile(this.file, 'utf8')));
      return typeof key === 'string' && isKey(key) && typeof agentId === 'string'
        ? { key, agentId }
        : undefined;
    } catch {
      return undefined; // Nothing was shown yet.
    }
  }

  /** Written at once: a person switches rarely, and the window may close right after. */
  write(shown: ShownLast): void {
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(`${this.file}.new`, JSON.stringify(shown));
      renameSync(`${this.file}.new`, this.file);
    } catch (error) {
      this.log(`the shown session could not be remembered: ${String(error)}`);
    }
  }
}
