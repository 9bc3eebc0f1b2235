import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPause } from '../../../src/agent/abort';
import type { ModelEvent, ModelInput } from '../../../src/agent/model/model';
import { FixedModels } from '../../../src/agent/model/models';
import { Planner } from '../../../src/agent/model/planner';
import { OpenSessions } from '../../../src/agent/openSessions';
import { SessionStore } from '../../../src/agent/sessionStore';

describe('open sessions', () => {
  const home = mkdtempSync(join(tmpdir(), 'parley-open-'));
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  after(() => rmSync(home, { recursive: true, force: true }));
  const setup = { cwd, additionalDirectories: [] };
  const signal = new AbortController().signal;
  const prompt = [{ type: 'text', text: 'help' }];

  /** Counts who listens to the models: every session that is not disposed. */
  class CountedModels extends FixedModels {
    listeners = 0;
    override onDidChange(): { dispose: () => number } {
      this.listeners++;
      return { dispose: () => this.listeners-- };
    }
  }

  function begin(models = new CountedModels(new Planner(createPause(0)))): {
    sessions: OpenSessions;
    models: CountedModels;
    store: SessionStore;
  } {
    const store = new SessionStore(home, Date.now);
    const sessions = new OpenSessions({
      models,
      store,
      client: {
        files: { readTextFile: false, writeTextFile: false },
        terminal: false,
        turnEvents: false,
        forms: false,
        notices: false,
        syntheticMessages: false,
        compaction: false,
      },
      request: () => Promise.reject(new Error('Nobody is asked.')),
      notify: () => undefined,
    });
    return { sessions, models, store };
  }

  it('SE-8 waits for the last words of a session that was closed in the middle of its turn', async () => {
    const { sessions } = begin();
    const { sessionId, session } = sessions.create(setup);
    await session.prompt(prompt, signal);
    const turn = session.prompt([{ type: 'text', text: 'count slowly to 1000' }], signal);
    sessions.close(sessionId);
    const { session: again } = await sessions.goOn(sessionId, setup);
    assert.equal((await turn).stopReason, 'cancelled');
    // Two that write to one log would have lost it.
    assert.equal((await again.prompt(prompt, signal)).stopReason, 'end_turn');
    sessions.dispose();
  });

  it('leaves one session, and nothing of the others, where one is loaded several times at once', async () => {
    const { sessions, models } = begin();
    const { sessionId, session } = sessions.create(setup);
    await session.prompt(prompt, signal);
    const turn = session.prompt([{ type: 'text', text: 'count slowly to 1000' }], signal);
    const loads = [1, 2, 3].map(() => sessions.goOn(sessionId, setup));
    await Promise.all(loads);
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(models.listeners, 1);
    assert.equal((await sessions.get(sessionId).prompt(prompt, signal)).stopReason, 'end_turn');
    sessions.dispose();
    assert.equal(models.listeners, 0);
  });

  it('lets a turn that runs end with its model, and gives the next prompt to the one that was chosen meanwhile', async () => {
    const asked: string[] = [];
    let choose: () => void = () => undefined;
    const configured = ['a', 'b'].map((id) => ({
      choice: { id, name: id },
      model: {
        async *next({ history }: ModelInput): AsyncGenerator<ModelEvent> {
          asked.push(id);
          await Promise.resolve();
          choose();
          if (history.at(-1)?.role === 'tool') yield { type: 'text', text: 'Done.' };
          else yield { type: 'toolRequest', name: 'list_directory', input: { path: '.' } };
        },
      },
    }));
    const { sessions } = begin(new CountedModels(new Planner(createPause(0)), configured));
    const { session } = sessions.create(setup);
    choose = () => session.setModel('b');
    await session.prompt(prompt, signal);
    assert.deepEqual(asked, ['a', 'a']);
    await session.prompt(prompt, signal);
    assert.deepEqual(asked, ['a', 'a', 'b', 'b']);
    sessions.dispose();
  });

  it('SE-15 lists the others where one log has no time, and beside what is no session', () => {
    const { sessions, store } = begin();
    sessions.dispose();
    const start = { type: 'session.start', cwd, version: '1' };
    for (const [sessionId, at] of [
      ['none', {}],
      ['odd', { at: 'yesterday' }],
      ['huge', { at: 1e300 }],
    ] as const) {
      mkdirSync(join(home, 'sessions', sessionId), { recursive: true });
      writeFileSync(join(home, 'sessions', sessionId, 'events.jsonl'), '');
      appendFileSync(
        join(home, 'sessions', sessionId, 'events.jsonl'),
        `${JSON.stringify({ ...at, ...start, sessionId })}\n`,
      );
    }
    // No session at all.
    writeFileSync(join(home, 'sessions', 'README'), '');
    const { sessions: listed } = store.list(undefined, undefined);
    for (const { updatedAt } of listed) assert.doesNotThrow(() => new Date(updatedAt).toISOString());
    assert.ok(listed.length >= 3);
  });
});
