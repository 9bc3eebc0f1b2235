import type { HostToPage, PageToHost } from '../../../src/core/chat/protocol';
import { ActionQueue } from '../../../src/core/chat/sync';
import type { SessionAction } from '../../../src/core/session/actions';
import { frame, painted, scrollUp } from './frames';
import { answer, longSession, turn } from './longSession';

/** What a script that measures a page can do with it. */
export interface TranscriptBench {
  /** Shows a session of so many entries; resolves to the ms until the newest is on screen. */
  begin: (entries: number) => Promise<number>;
  /** Does nothing for as long as `append` waits at least. */
  rest: () => Promise<void>;
  /** Adds an entry; resolves when it is on screen. */
  append: () => Promise<void>;
  /** Streams a message in chunks at least 2 ms apart; resolves when its last word is on screen. */
  stream: (chunks: number) => Promise<void>;
  /** Scrolls up by so many steps, one a frame; resolves to the times between frames, ms. */
  scroll: (steps: number, px: number) => Promise<number[]>;
}

declare global {
  interface Window {
    bench: TranscriptBench;
  }
}

/** ms between two posts, as the extension makes them. */
const FRAME = 16;

let ready = (): void => undefined;
const asked = new Promise<void>((resolve) => (ready = resolve));
let seq = 0;
let next = 0;
let waiting: SessionAction[] = [];

const post = (message: HostToPage): void => window.postMessage(message, '*');

Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: PageToHost) => message.type === 'ready' && ready(),
    getState: () => undefined,
    setState: () => undefined,
  }),
});

const log = (): Element => {
  const found = document.querySelector('[data-parley="transcript"]');
  if (!found) throw new Error('There is no transcript.');
  return found;
};

async function shown(text: string): Promise<void> {
  const last = (): string => Array.from(log().querySelectorAll('[data-entry-id]')).at(-1)?.textContent ?? '';
  while (!last().includes(text)) await frame();
  await painted();
}

function play(actions: SessionAction[]): void {
  post({ type: 'actions', seq, actions });
  seq += actions.length;
}

window.bench = {
  begin: async (entries) => {
    await asked;
    const state = longSession(entries);
    next = entries / 5 + 1;
    const draft = { text: '', attachments: [] };
    const start = performance.now();
    post({ type: 'snapshot', seq, key: 'k', state, draft });
    while (!document.querySelector('[data-entry="end"]') && entries > 0) await frame();
    await painted();
    return performance.now() - start;
  },
  rest: async () => {
    await frame();
    await painted();
  },
  append: async () => {
    if (waiting.length === 0) waiting = turn(next++);
    const count = log().querySelectorAll('[data-entry]').length;
    play(waiting.splice(0, 1));
    const last = Array.from(log().querySelectorAll('[data-entry]')).at(-1);
    while (Array.from(log().querySelectorAll('[data-entry]')).at(-1) === last && count > 0) await frame();
    await painted();
  },
  stream: async (chunks) => {
    play([{ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'Go on' }], at: 1 }]);
    const queue = new ActionQueue();
    const text = Array.from({ length: 40 }, (_, i) => answer(i)).join('\n\n');
    const flush = setInterval(() => play(queue.take()?.actions ?? []), FRAME);
    for (let i = 0; i < chunks; i++) {
      const piece = i === chunks - 1 ? ' The last word' : text.slice(i * 6, i * 6 + 6);
      queue.push({
        type: 'update',
        at: 1,
        update: { kind: 'chunk', role: 'agent', block: { type: 'text', text: piece } },
      });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await shown('The last word');
    clearInterval(flush);
    play([{ type: 'turnEnded', turn: next, stopReason: 'end_turn', at: 2 }]);
  },
  scroll: (steps, px) => scrollUp(log(), steps, px),
};
