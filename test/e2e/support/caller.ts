import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../vscode/until';

/** How a command ended for the extension that called it. */
export type Answer = { value?: unknown } | { error: string };

/** Calls commands as another extension does; the window is opened with `calls: caller.folder`. */
export class Caller {
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-calls-'));
  private count = 0;

  /** Begins a call; what it gives waits for the end. */
  begin(command: string, ...args: unknown[]): () => Promise<Answer> {
    const file = join(this.folder, String(++this.count));
    writeFileSync(`${file}.part`, JSON.stringify({ command, args }));
    renameSync(`${file}.part`, `${file}.call`);
    return () =>
      until(`the end of ${command}`, () =>
        existsSync(`${file}.answer`)
          ? (JSON.parse(readFileSync(`${file}.answer`, 'utf8')) as Answer)
          : undefined,
      );
  }

  /** Ends the extension host at once; VS Code starts another. */
  crashHost(): void {
    this.begin('parley-caller.crash');
  }

  call(command: string, ...args: unknown[]): Promise<Answer> {
    return this.begin(command, ...args)();
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
