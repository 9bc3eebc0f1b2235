import assert from 'node:assert/strict';
import type { TerminalPort } from '../../../src/acp/agentClient';
import {
  answer,
  end,
  expectCall,
  preset,
  refuse,
  type Replay,
  update,
  type Step,
} from '../../support/replayScript';
import { text } from '../../support/session';
import { SessionHarness, type Agents } from '../../support/sessionHarness';

const never = (): never => assert.fail('no terminal is expected');
/** Where they are served, Parley announces that it can run a terminal sign-in (CC-3). */
const terminals: TerminalPort = {
  create: never,
  output: never,
  waitForExit: never,
  kill: never,
  release: never,
};

/** Sessions with an agent that can sign in at a terminal. */
export function open(agents: Agents): SessionHarness {
  const harness = new SessionHarness(agents, Object.keys(agents)[0]);
  harness.morePorts = { terminals };
  return harness;
}

/** A way of the agent and one at the terminal. */
export const METHODS = [
  { id: 'login', name: 'Sign in' },
  { id: 'shell', name: 'Sign in at the terminal', type: 'terminal', args: ['--login'] },
];
/** An agent that has them, and can resume sessions. */
export const LOGIN = preset('initialize', {
  authMethods: METHODS,
  agentCapabilities: { sessionCapabilities: { resume: {} } },
});
/** For scripts that play a later session/new themselves: they have to play the first one as well. */
export const opened = [expectCall('session/new', 'first'), answer('first', { sessionId: '$SESSION' })];
/** Refuses a call for want of a sign-in. */
export const refused = (as: string): Step => refuse(as, -32000, 'Authentication required');
/** A sign-in by the agent that works. */
export const signsIn = [expectCall('authenticate', 'auth'), answer('auth', {})];
/** A prompt that is refused. */
export const waits = [expectCall('session/prompt', 'p'), refused('p')];
/** A prompt of a session that is answered. */
export const says = (as: string, words: string, session = '$SESSION'): Step[] => [
  expectCall('session/prompt', as, { where: { sessionId: session } }),
  update(text(words), session),
  end(as),
];
/** A session/resume that works. */
export const resumes = (as: string, sessionId: string): Step[] => [
  expectCall('session/resume', as, { where: { sessionId } }),
  answer(as, {}),
];

/** A session whose turn waits for the sign-in. */
export async function waiting(
  ...runs: Replay[]
): Promise<[SessionHarness, Promise<{ stopReason: string; text: string }>]> {
  const harness = open({ replay: runs });
  const turn = harness.prompt('go');
  turn.catch(() => undefined);
  await harness.until(() => harness.state.turn.status === 'running' && isAuth(harness));
  return [harness, turn];
}
/** True while the shown session asks for a sign-in. */
export const isAuth = (harness: SessionHarness): boolean => harness.state.connection.status === 'auth';
/** How often Parley called a method. */
export const times = (harness: SessionHarness, method: string): number =>
  harness.calls.filter((call) => call === method).length;
