import assert from 'node:assert/strict';
import { TrafficRecorder } from '../../../src/core/traffic/recorder';
import { TrafficRing } from '../../../src/core/traffic/ring';
import type { HostToTraffic } from '../../../src/core/traffic/trafficProtocol';
import { TrafficChannel } from '../../../src/host/traffic/trafficChannel';

/** A page with what it was sent, and what it made the extension do. */
class Page {
  readonly sent: HostToTraffic[] = [];
  readonly done: string[] = [];
  readonly failures: unknown[] = [];
  readonly recorder = new TrafficRecorder(new TrafficRing(), () => 0);
  readonly run = this.recorder.begin({ agent: 'A', mask: (text) => text });
  private listener: (message: unknown) => void = () => undefined;
  private wake: () => void = () => undefined;
  readonly channel = new TrafficChannel(
    {
      postMessage: (message) => {
        this.sent.push(message);
        this.wake();
      },
      onDidReceiveMessage: (listener) => {
        this.listener = listener;
        return { dispose: () => undefined };
      },
    },
    {
      recorder: this.recorder,
      isEnabled: () => true,
      enable: () => this.does('enable'),
      save: () => this.does('save'),
      copy: (text) => this.does(`copy ${text}`),
    },
    (error) => this.failures.push(error),
  );

  say(message: unknown): this {
    this.listener(message);
    return this;
  }

  speak(toolCallId: string): void {
    const update = { sessionUpdate: 'tool_call_update', toolCallId };
    this.run.message('in', { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } });
  }

  /** Resolves with the next rows. */
  async rows(): Promise<HostToTraffic & { type: 'rows' }> {
    for (;;) {
      const found = this.sent.findIndex(({ type }) => type === 'rows');
      const message = this.sent.splice(0, found + 1).at(-1);
      if (message?.type === 'rows') return message;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private does(what: string): Promise<void> {
    this.done.push(what);
    return Promise.resolve();
  }
}

describe('the page of the traffic and the extension', () => {
  it('send rows together, without texts, and the text of one when it is asked for', async () => {
    const page = new Page().say({ type: 'ready' });
    assert.deepEqual(
      (await page.rows()).rows.map(({ kind }) => kind),
      ['start'],
    );
    page.speak('one');
    page.speak('two');
    const { rows, reset } = await page.rows();
    assert.equal(reset, false);
    assert.ok(rows.filter(({ kind }) => kind === 'in').length === 2 && rows.every((row) => !('text' in row)));
    const fault = rows.find(({ kind }) => kind === 'fault');
    page.say({ type: 'detail', seq: fault?.seq }).say({ type: 'detail', seq: 9_999 });
    const texts = page.sent.flatMap((message) => (message.type === 'detail' ? [message.text] : []));
    // A fault shows the message that it is in.
    assert.match(texts[0] ?? '', /"toolCallId": "one"/);
    assert.equal(texts[1], null);
    page.channel.dispose();
  });

  it('send nothing while the page is paused, then all that matches the filter', async () => {
    const page = new Page().say({ type: 'ready' });
    await page.rows();
    page.say({ type: 'pause', paused: true });
    page.speak('one');
    page.say({ type: 'filter', filter: { direction: 'in' } });
    assert.equal((await page.rows()).rows.length, 1);
    page.speak('two');
    page.say({ type: 'pause', paused: false });
    const { rows, reset } = await page.rows();
    assert.deepEqual([rows.length, reset], [2, true]);
    page.say({ type: 'clear' });
    assert.equal((await page.rows()).rows.length, 0);
    page.channel.dispose();
  });

  it('do what the person wants, and nothing that is not known', () => {
    const page = new Page().say({ type: 'save' }).say({ type: 'enable' }).say({ type: 'copy', seq: 1 });
    assert.deepEqual(page.done.slice(0, 2), ['save', 'enable']);
    assert.match(page.done[2] ?? '', /^copy /);
    page.say({ type: 'delete everything' });
    assert.equal(page.failures.length, 1);
    page.channel.dispose();
  });
});
