import type { SessionAction } from '../../../src/core/session/actions';
import type { ModelCallEvent } from '../../../src/core/session/turn';
import { opened, prompt, say, text, tool, update } from './sceneParts';
import type { Scene } from './scenes';

const call = (event: ModelCallEvent, at: number): SessionAction => ({ ...event, at });

/** One call of the model from a time on, with what happens in it (ms after `at`). */
const during = (
  id: string,
  at: number,
  { ms, usage }: { ms: number; usage?: { input: number; output: number } },
  ...events: SessionAction[]
): SessionAction[] => [
  call({ type: 'modelCallStarted', id }, at),
  ...events,
  call({ type: 'modelCallEnded', id, ...(usage ? { usage } : {}) }, at + ms),
];

/** A call of a tool that takes its time. */
const ran = (
  toolCallId: string,
  title: string,
  modelCallId: string,
  { at, ms, status = 'completed' }: { at: number; ms: number; status?: 'completed' | 'failed' },
): SessionAction[] => [
  tool(toolCallId, { title, toolKind: 'read', status: 'in_progress', modelCallId }, at),
  update({ kind: 'toolCallUpdate', patch: { toolCallId, status } }, at + ms),
];

/** What the agent says to its model in the person's name. */
export const NUDGE = 'The task is not marked as complete yet.\n\n- Go on, or say that it is done.';

const nudge = (n: number, at: number): SessionAction =>
  update(
    { kind: 'synthetic', block: text(NUDGE), reason: 'autopilot_nudge', n, messageId: `nudge-${at}` },
    at,
  );

/** A turn that the agent calls done, with a timeline. */
export const doneTurn = (turn: number, t: number): SessionAction[] => [
  prompt(t, text('Bring the checkout to the new router.')),
  ...during(
    `${turn}a`,
    t + 300,
    { ms: 4200, usage: { input: 10_480, output: 312 } },
    say('First I look at what there is.', t + 900),
    ...ran(`${turn}-read`, 'Read src/routes.ts', `${turn}a`, { at: t + 2500, ms: 400 }),
    ...ran(`${turn}-search`, 'Search for a very long name of a router that is used nowhere', `${turn}a`, {
      at: t + 3000,
      ms: 1400,
      status: 'failed',
    }),
  ),
  ...during(`${turn}b`, t + 4600, { ms: 7000 }, say('Then I move it.', t + 9000)),
  ...during(
    `${turn}c`,
    t + 11_700,
    { ms: 800, usage: { input: 11_200, output: 40 } },
    ...ran(`${turn}-done`, 'Task complete', `${turn}c`, { at: t + 12_300, ms: 0 }),
  ),
  {
    type: 'turnEnded',
    turn,
    stopReason: 'end_turn',
    at: t + 12_600,
    modelCalls: 3,
    taskComplete: 'The checkout uses the new router.',
  },
];

/** A turn in which the agent reminds its model twice, and gives up. */
export const nudgedTurn = (turn: number, t: number): SessionAction[] => [
  prompt(t, text('What is left?')),
  ...during(`${turn}a`, t + 100, { ms: 1000 }, say('The tests are.', t + 500)),
  nudge(1, t + 1100),
  ...during(`${turn}b`, t + 1200, { ms: 900 }, say('They are still left.', t + 1500)),
  nudge(2, t + 2100),
  ...during(`${turn}c`, t + 2200, { ms: 900 }, say('As I said.', t + 2500)),
  {
    type: 'turnEnded',
    turn,
    stopReason: 'end_turn',
    at: t + 3200,
    modelCalls: 3,
    nudges: 2,
    nudgesExhausted: true,
  },
];

const loop: Scene = (now) => {
  const t = now - 60_000;
  return [
    ...opened(t),
    ...doneTurn(1, t),
    ...nudgedTurn(2, t + 20_000),
    prompt(t + 30_000, text('Thanks.')),
    say('You are welcome.', t + 30_500),
    { type: 'turnEnded', turn: 3, stopReason: 'end_turn', at: t + 31_000 },
    update({ kind: 'info', interrupted: true }, t + 32_000),
  ];
};

/** Scenes of what the agent tells of its loop. */
export const loopScenes: Readonly<Record<string, Scene>> = { loop };
