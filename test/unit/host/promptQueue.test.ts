import assert from 'node:assert/strict';
import { setImmediate as afterIo } from 'node:timers/promises';
import type { Attachment } from '../../../src/core/chat/attachment';
import { isBusy } from '../../../src/core/session/select';
import type { QueuedPrompt } from '../../../src/core/session/state';
import { PromptQueue } from '../../../src/host/session/promptQueue';
import { SessionStore } from '../../../src/host/session/sessionStore';
import type { TurnResult } from '../../../src/host/session/turnAnswer';

interface Turn {
  prompt: QueuedPrompt;
  resolve(result: TurnResult): void;
  reject(error: Error): void;
}

/** A queue over a store; turns end when the test says so. */
class Harness {
  readonly store = new SessionStore('Test');
  /** Turns of queued prompts, in the order of sending. */
  readonly turns: Turn[] = [];
  cancels = 0;
  /** Why prompts can't be sent. */
  refusal: Error | undefined;
  private ids = 0;
  readonly queue = new PromptQueue({
    store: this.store,
    isBusy: () => isBusy(this.store.state),
    send: (prompt) => this.send(prompt),
    cancelTurn: () => {
      this.cancels++;
      this.store.dispatch({ type: 'cancelRequested', at: 1 });
    },
    removed: () => 'removed',
    newId: () => `q${++this.ids}`,
  });

  /** With a turn of a prompt that was not queued. */
  static busy(): Harness {
    const harness = new Harness();
    harness.begin();
    return harness;
  }

  add(text: string, attachments: Attachment[] = []): Promise<TurnResult> {
    const done = this.queue.add({ text, attachments });
    // Those that a test does not wait for.
    done.catch(() => undefined);
    return done;
  }

  get texts(): string[] {
    return this.store.state.queue.items.map(({ text }) => text);
  }

  get paused(): boolean {
    return this.store.state.queue.paused;
  }

  get sent(): string[] {
    return this.turns.map(({ prompt }) => prompt.text);
  }

  idOf(text: string): string {
    return this.store.state.queue.items.find((item) => item.text === text)?.id ?? assert.fail(`no ${text}`);
  }

  /** The turn ends as the controller ends it: the next one goes out after those who wait were told. */
  async end(stopReason = 'end_turn'): Promise<void> {
    const { number } = this.store.state.turn;
    this.store.dispatch({ type: 'turnEnded', turn: number, stopReason, at: 2 });
    this.turns.at(-1)?.resolve({ stopReason, text: '' });
    await afterIo();
    this.queue.turnEnded(stopReason === 'end_turn');
    await afterIo();
  }

  async fail(): Promise<void> {
    const { number } = this.store.state.turn;
    this.store.dispatch({ type: 'turnFailed', turn: number, error: { message: 'no' }, at: 2 });
    this.turns.at(-1)?.reject(new Error('no'));
    await afterIo();
    this.queue.turnEnded(false);
    await afterIo();
  }

  private begin(queued?: string): void {
    const id = queued === undefined ? {} : { queued };
    this.store.dispatch({ type: 'promptSubmitted', blocks: [], at: 1, ...id });
  }

  private send(prompt: QueuedPrompt): Promise<TurnResult> {
    if (this.refusal) return Promise.reject(this.refusal);
    this.begin(prompt.id);
    return new Promise((resolve, reject) => this.turns.push({ prompt, resolve, reject }));
  }
}

describe('the queue of prompts', () => {
  it('PT-7 sends one after the other, in their order, each with what was attached', async () => {
    const harness = Harness.busy();
    const file: Attachment = { kind: 'file', path: '/a', name: 'a' };
    const [first, second] = [harness.add('one', [file]), harness.add('two')];
    assert.deepEqual(harness.texts, ['one', 'two']);
    assert.deepEqual(harness.sent, []);
    await harness.end();
    assert.deepEqual(harness.sent, ['one']);
    assert.deepEqual(harness.turns[0]?.prompt.attachments, [file]);
    assert.deepEqual(harness.texts, ['two']);
    await harness.end('end_turn');
    assert.equal((await first).stopReason, 'end_turn');
    assert.deepEqual(harness.sent, ['one', 'two']);
    await harness.end('end_turn');
    assert.equal((await second).stopReason, 'end_turn');
    assert.deepEqual(harness.sent, ['one', 'two']);
    assert.deepEqual(harness.texts, []);
  });

  it('PT-7 keeps a copy of what was attached', () => {
    const harness = Harness.busy();
    const attachments: Attachment[] = [{ kind: 'file', path: '/a', name: 'a' }];
    void harness.add('one', attachments);
    attachments.pop();
    assert.equal(harness.store.state.queue.items[0]?.attachments.length, 1);
  });

  it('PT-7 sends what was edited, and takes an empty text for a removal', async () => {
    const harness = Harness.busy();
    const removed = harness.add('two');
    void harness.add('one');
    harness.queue.edit(harness.idOf('one'), 'better');
    harness.queue.edit(harness.idOf('two'), ' \n');
    await assert.rejects(removed, /removed/);
    harness.queue.edit('unknown', 'x');
    assert.deepEqual(harness.texts, ['better']);
    await harness.end();
    assert.deepEqual(harness.sent, ['better']);
  });

  it('PT-7 moves a prompt to a place, at most to the ends', () => {
    const harness = Harness.busy();
    for (const text of ['a', 'b', 'c']) void harness.add(text);
    harness.queue.move(harness.idOf('c'), 0);
    assert.deepEqual(harness.texts, ['c', 'a', 'b']);
    harness.queue.move(harness.idOf('c'), 1);
    assert.deepEqual(harness.texts, ['a', 'c', 'b']);
    harness.queue.move(harness.idOf('a'), 99);
    assert.deepEqual(harness.texts, ['c', 'b', 'a']);
    harness.queue.move(harness.idOf('a'), -1);
    harness.queue.move('unknown', 0);
    assert.deepEqual(harness.texts, ['a', 'c', 'b']);
  });

  it('PT-7 tells the one who waits for a prompt that is taken out, and sends it never', async () => {
    const harness = Harness.busy();
    const [first, second] = [harness.add('one'), harness.add('two')];
    harness.queue.remove(harness.idOf('one'));
    await assert.rejects(first, /removed/);
    await harness.end();
    assert.deepEqual(harness.sent, ['two']);
    await harness.end();
    await second;
  });

  it('PT-7 CA-1 "send now" cancels the turn and goes first; the others follow', async () => {
    const harness = Harness.busy();
    for (const text of ['a', 'b', 'c']) void harness.add(text);
    harness.queue.sendNow(harness.idOf('c'));
    assert.equal(harness.cancels, 1);
    assert.deepEqual(harness.sent, [], 'the turn goes on until the agent ends it');
    await harness.end('cancelled');
    assert.deepEqual(harness.sent, ['c']);
    assert.equal(harness.paused, false);
    await harness.end();
    assert.deepEqual(harness.sent, ['c', 'a']);
  });

  it('PT-7 "send now" sends at once where no turn runs, and leaves the others paused', async () => {
    const harness = Harness.busy();
    for (const text of ['a', 'b']) void harness.add(text);
    harness.queue.pause();
    await harness.end('cancelled');
    assert.deepEqual(harness.sent, []);
    harness.queue.sendNow(harness.idOf('b'));
    assert.deepEqual(harness.sent, ['b']);
    assert.equal(harness.cancels, 0);
    await harness.end();
    assert.deepEqual(harness.sent, ['b']);
    assert.deepEqual([harness.texts, harness.paused], [['a'], true]);
  });

  it('PT-7 "send now" of a prompt that is gone cancels nothing', () => {
    const harness = Harness.busy();
    void harness.add('a');
    harness.queue.sendNow('unknown');
    assert.equal(harness.cancels, 0);
  });

  it('PT-7 a prompt that was to be sent now and is taken out leaves Stop to be a stop', async () => {
    const harness = Harness.busy();
    for (const text of ['a', 'b']) void harness.add(text);
    harness.queue.sendNow(harness.idOf('b'));
    harness.queue.remove(harness.idOf('b'));
    await harness.end('cancelled');
    assert.deepEqual(harness.sent, []);
    assert.equal(harness.paused, true);
  });

  it('PT-7 CA-2 Stop pauses, and resume goes on', async () => {
    const harness = Harness.busy();
    void harness.add('a');
    harness.store.dispatch({ type: 'cancelRequested', at: 1 });
    harness.queue.pause();
    assert.equal(harness.paused, true);
    await harness.end('cancelled');
    assert.deepEqual(harness.sent, []);
    harness.queue.resume();
    assert.equal(harness.paused, false);
    assert.deepEqual(harness.sent, ['a']);
  });

  it('PT-7 resume during a turn waits for its end', async () => {
    const harness = Harness.busy();
    void harness.add('a');
    harness.queue.pause();
    harness.queue.resume();
    assert.deepEqual(harness.sent, []);
    await harness.end();
    assert.deepEqual(harness.sent, ['a']);
  });

  for (const [title, end] of [
    ['a failure', (harness: Harness) => harness.fail()],
    ['a refusal', (harness: Harness) => harness.end('refusal')],
  ] as const) {
    it(`PT-7 PT-9 PT-11 pauses after ${title}`, async () => {
      const harness = Harness.busy();
      for (const text of ['a', 'b']) void harness.add(text);
      await end(harness);
      assert.deepEqual([harness.sent, harness.paused], [[], true]);
      harness.queue.resume();
      assert.deepEqual(harness.sent, ['a']);
      await end(harness);
      assert.deepEqual([harness.sent, harness.texts, harness.paused], [['a'], ['b'], true]);
    });
  }

  it('PT-7 does not pause without anything that waits, and a new prompt is not held back', async () => {
    const harness = Harness.busy();
    harness.queue.pause();
    assert.equal(harness.paused, false);
    await harness.end('refusal');
    void harness.add('a');
    assert.deepEqual(harness.sent, ['a']);
  });

  it('PT-7 tells the one who waits when the turn fails', async () => {
    const harness = Harness.busy();
    const done = harness.add('a');
    await harness.end();
    await harness.fail();
    await assert.rejects(done, /no/);
    assert.deepEqual(harness.texts, []);
  });

  it('PT-7 CA-2 a prompt that is written while the turn is being cancelled goes out right after it, once', async () => {
    const harness = Harness.busy();
    void harness.add('before');
    harness.store.dispatch({ type: 'cancelRequested', at: 1 });
    harness.queue.pause();
    const done = harness.add('after');
    assert.deepEqual(harness.texts, ['after', 'before']);
    await harness.end('cancelled');
    assert.deepEqual(harness.sent, ['after']);
    await harness.end();
    assert.equal((await done).stopReason, 'end_turn');
    assert.deepEqual(harness.sent, ['after'], 'what was stopped before waits for the person');
    assert.deepEqual([harness.texts, harness.paused], [['before'], true]);
  });

  it('PT-7 CA-2 of two that are written while the turn is being cancelled both go out, in their order', async () => {
    const harness = Harness.busy();
    harness.store.dispatch({ type: 'cancelRequested', at: 1 });
    harness.queue.pause();
    void harness.add('one');
    void harness.add('two');
    assert.deepEqual(harness.texts, ['one', 'two']);
    await harness.end('cancelled');
    await harness.end();
    assert.deepEqual(harness.sent, ['one', 'two']);
  });

  it('PT-7 keeps a prompt that could not be sent, paused, and sends it on resume', async () => {
    const harness = Harness.busy();
    const done = harness.add('a');
    harness.refusal = new Error('not connected');
    await harness.end();
    assert.deepEqual([harness.sent, harness.texts, harness.paused], [[], ['a'], true]);
    const said = harness.store.state.entries.at(-1);
    assert.equal(said?.kind === 'notice' && said.title, 'not connected', 'and the person is told why');
    harness.refusal = undefined;
    harness.queue.resume();
    await harness.end();
    assert.equal((await done).stopReason, 'end_turn');
    assert.deepEqual(harness.sent, ['a']);
  });

  it('PT-7 sends a prompt once, however often it is told to', async () => {
    const harness = Harness.busy();
    void harness.add('a');
    await harness.end();
    harness.queue.resume();
    harness.queue.turnEnded(true);
    harness.queue.sendNow('q1');
    assert.deepEqual(harness.sent, ['a']);
    assert.equal(harness.cancels, 0);
  });

  it('PT-7 tells all who wait when the session is closed', async () => {
    const harness = Harness.busy();
    const [one, two] = [harness.add('a'), harness.add('b')];
    harness.queue.close();
    await assert.rejects(one, /removed/);
    await assert.rejects(two, /removed/);
    assert.deepEqual(harness.texts, ['a', 'b'], 'the transcript keeps them');
  });

  it('PT-7 what the person answered to the turn goes first, in its order, even if the turn ends badly', async () => {
    const harness = Harness.busy();
    void harness.add('later');
    harness.queue.addAnswer('use npm');
    harness.queue.addAnswer('and be quick');
    assert.deepEqual(harness.texts, ['use npm', 'and be quick', 'later']);
    await harness.end('cancelled');
    await harness.end('refusal');
    assert.deepEqual(harness.sent, ['use npm', 'and be quick']);
    await harness.end('refusal');
    assert.deepEqual([harness.texts, harness.paused], [['later'], true]);
  });

  it('PT-7 what the person answered is held back by Stop, and goes out at once where no turn runs', async () => {
    const harness = Harness.busy();
    harness.queue.addAnswer('use npm');
    harness.queue.stop();
    await harness.end('cancelled');
    assert.deepEqual([harness.sent, harness.texts, harness.paused], [[], ['use npm'], true]);
    const idle = new Harness();
    idle.queue.addAnswer('use npm');
    assert.deepEqual(idle.sent, ['use npm']);
  });

  it('PT-7 goes on with prompts of an earlier window, for which nobody waits', async () => {
    const harness = new Harness();
    const items = [{ id: 'old', text: 'kept', attachments: [] }];
    harness.store.dispatch({ type: 'queueChanged', queue: { items, paused: true } });
    void harness.add('new');
    assert.deepEqual(harness.sent, []);
    harness.queue.resume();
    assert.deepEqual(harness.sent, ['kept']);
    await harness.end();
    assert.deepEqual(harness.sent, ['kept', 'new']);
  });
});
