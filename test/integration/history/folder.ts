import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionAction } from '../../../src/core/session/actions';
import { textOf } from '../../../src/core/session/select';
import type { SessionState } from '../../../src/core/session/state';
import { History, type HistoryOptions, type Recorder } from '../../../src/host/history/history';
import { TestSession, text } from '../../support/session';

/** Those of the test that runs. */
const recorders: Recorder[] = [];

/** A temporary folder with a history, as each test needs it. */
export class HistoryFolder {
  readonly root = mkdtempSync(join(tmpdir(), 'parley-history-'));
  readonly folder = join(this.root, 'sessions');
  readonly logged: string[] = [];
  now = Date.now();

  history(options: Partial<HistoryOptions> = {}): History {
    return new History({
      folder: this.folder,
      log: (line) => this.logged.push(line),
      notKept: 'earlier messages were not kept',
      now: () => this.now,
      ...options,
    });
  }

  log(key: string): string {
    return join(this.folder, `${key}.ndjson`);
  }

  list(key: string): string {
    return join(this.folder, `${key}.json`);
  }

  async remove(): Promise<void> {
    await Promise.all(recorders.splice(0).map((recorder) => recorder.close()));
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A session whose actions are applied and recorded. */
export class RecordedSession extends TestSession {
  readonly recorder: Recorder;

  constructor(history: History, key: string, state?: SessionState) {
    super();
    Object.assign(this.state, state);
    this.recorder = history.record(key, () => this.state);
    recorders.push(this.recorder);
  }

  override apply(...actions: SessionAction[]): this {
    for (const action of actions) {
      super.apply(action);
      this.recorder.take(action);
    }
    return this;
  }

  /** A whole turn. */
  turn(prompt: string, answer = 'ok'): this {
    return this.prompt(prompt).wire(text(answer)).end();
  }
}

/** The state as it is compared: joined chunks count fewer versions, and nothing is connected. */
export function content(state: SessionState | undefined): unknown {
  return (
    state && {
      ...(JSON.parse(JSON.stringify(state)) as SessionState),
      entries: state.entries.map((entry) => ({ ...entry, version: 0 })),
    }
  );
}

/** Texts of the prompts, oldest first. */
export const prompts = (state: SessionState | undefined): string[] =>
  (state?.entries ?? []).flatMap((entry) => (entry.kind === 'user' ? textOf(entry.blocks) : []));
/** Kinds of the entries, in order. */
export const kinds = (state: SessionState | undefined): string[] =>
  (state?.entries ?? []).map(({ kind }) => kind);
