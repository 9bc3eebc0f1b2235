import { History } from '../../../src/host/history/history';
import { TestSession, text } from '../../support/session';

/** Records into the folder of its first argument, says `written` after a flush, then goes on forever. */
async function run(folder: string): Promise<void> {
  const history = new History({ folder, log: console.error, notKept: '', now: Date.now });
  const session = new TestSession();
  const recorder = history.record('child', () => session.state);
  const say = (action: ReturnType<TestSession['action']>): void => {
    session.apply(action);
    recorder.take(action);
  };
  const queue = { items: [{ id: 'q', text: 'later', attachments: [] }], paused: false };
  say({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'first' }], at: 1 });
  say({ type: 'queueChanged', queue });
  say({ type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: 2 });
  say({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'later' }], at: 3, queued: 'q' });
  for (let i = 0; i < 1_000; i++) say(session.action(text(`${i} `)));
  await history.flush();
  process.stdout.write('written\n');
  // Torn by the kill or not: what was flushed must be there.
  setInterval(() => {
    say(session.action(text('x'.repeat(100_000), 'agent_message', String(Math.random()))));
    void history.flush();
  }, 1);
}

void run(process.argv[2] ?? '');
