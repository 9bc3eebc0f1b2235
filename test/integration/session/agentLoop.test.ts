import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/core/json';
import { answer, expectCall, preset, Replay, update } from '../../support/replayScript';
import { text, tool } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const META = 'parley.agentLoop';
const loop = (said: JsonObject): JsonObject => ({ _meta: { [META]: said } });
const told = (method: string, params: JsonObject): JsonObject => ({
  send: { jsonrpc: '2.0', method: `_parley/${method}`, params: { sessionId: '$SESSION', ...params } },
});
const nudge = update({
  ...text('Not done yet.', 'user_message', 'n1'),
  ...loop({ synthetic: true, reason: 'autopilot_nudge', n: 1 }),
});

/** A turn of an agent that tells its loop. */
const turn = [
  expectCall('session/prompt', 'p'),
  told('turn_start', { turnId: 'a', index: 1 }),
  update({ ...tool('t', { status: 'completed' }), ...loop({ turnId: 'a' }) }),
  told('turn_end', { turnId: 'a', index: 1, toolRequests: 1, usage: { inputTokens: 9, outputTokens: 4 } }),
  nudge,
  told('turn_start', { turnId: 'b', index: 2 }),
  told('turn_start', { sessionId: 'someone-else', turnId: 'c', index: 1 }),
  told('turn_start', { turnId: 7 }),
  update({ ...text('Well.'), ...loop({ turnId: 'b' }) }),
  told('turn_end', { turnId: 'b', index: 2, toolRequests: 0, usage: 'much' }),
  answer('p', {
    stopReason: 'end_turn',
    ...loop({ modelCalls: 2, nudges: 1, nudgesExhausted: true }),
  }),
];

describe('what an agent tells of its loop', () => {
  it('EX-5 reaches the state: model calls with their tools, nudges, and that they were in vain', async () => {
    const harness = await SessionHarness.open(new Replay(...turn));
    const { text: said, ...result } = await harness.prompt('go');
    assert.equal(said, 'Well.');
    assert.deepEqual(result, { stopReason: 'end_turn', modelCalls: 2, nudges: 1, nudgesExhausted: true });
    assert.deepEqual(harness.messages(), ['user: go', 'synthetic: Not done yet.', 'agent: Well.']);
    assert.equal(harness.tool('t').modelCallId, 'a');
    const [end] = harness.entries('end');
    assert.equal(end?.nudgesExhausted, true);
    assert.equal(end.taskComplete, undefined);
    assert.deepEqual(end.timeline, {
      since: 1_000,
      kept: [
        { id: 'a', startedAt: 1_000, endedAt: 1_000, usage: { input: 9, output: 4 } },
        { id: 'b', startedAt: 1_000, endedAt: 1_000 },
      ],
      more: 0,
    });
    await harness.end();
  });

  it('EX-6 is asked for in the capabilities', async () => {
    const harness = await SessionHarness.open(new Replay());
    const { params } = harness.sent.find(({ method }) => method === 'initialize') ?? {};
    assert.deepEqual((params as { clientCapabilities: JsonObject }).clientCapabilities['_meta'], {
      [META]: { turnEvents: true, syntheticMessages: true },
    });
    await harness.end();
  });

  it('SE-8 is in a session that is loaded, without times, and with where it was interrupted', async () => {
    const load = preset('initialize', { agentCapabilities: { loadSession: true } });
    const harness = new SessionHarness({
      replay: [
        new Replay(
          load,
          expectCall('session/load', 'l'),
          update(text('go', 'user_message', 'u1')),
          update(text('Hm.')),
          nudge,
          update({
            ...tool('t', { status: 'completed' }),
            ...loop({ turnId: 'a', event: 'task_complete', summary: 'all' }),
          }),
          update({ sessionUpdate: 'session_info_update', ...loop({ interrupted: true }) }),
          answer('l', {}),
        ),
      ],
    });
    harness.controller.choose({ sessionId: '$SESSION', cwd: harness.cwd, title: null });
    await harness.controller.ensureConnected();
    assert.deepEqual(harness.messages(), ['user: go', 'agent: Hm.', 'synthetic: Not done yet.']);
    const [end] = harness.entries('end');
    assert.equal(end?.stopReason, 'interrupted');
    assert.equal(end.timeline, undefined);
    await harness.end();
  });
});
