import assert from 'node:assert/strict';
import { answer, end, expectCall, preset, refuse, Replay, update } from '../../support/replayScript';
import { SessionHarness } from '../../support/sessionHarness';

const select = (id: string, currentValue: string, ...values: string[]) => ({
  id,
  name: id,
  type: 'select',
  currentValue,
  options: values.map((value) => ({ value, name: value })),
});
const fast = (currentValue: boolean) => ({ id: 'fast', name: 'Fast', type: 'boolean', currentValue });
const MODES = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};

const valuesOf = ({ state }: SessionHarness): unknown[] => state.config.map(({ id, value }) => [id, value]);

describe('controls of a session', () => {
  it('MO-2 MO-4 sets a mode by session/set_mode where the agent has no config options', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        preset('session/new', { modes: MODES }),
        expectCall('session/set_mode', 's', {
          check: { params: { sessionId: 'sess-replay-1', modeId: 'code' } },
        }),
        answer('s', {}),
        update({ sessionUpdate: 'current_mode_update', modeId: 'ask' }),
      ),
    );
    assert.deepEqual(valuesOf(harness), [['mode', 'ask']]);
    await harness.controller.setConfig('mode', 'code');
    await harness.until(() => harness.actions.some((action) => action.type === 'update'));
    assert.deepEqual(valuesOf(harness), [['mode', 'ask']]);
    await harness.end();
  });

  it('CF-9 takes a mode back that the agent refuses', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        preset('session/new', { modes: MODES }),
        expectCall('session/set_mode', 's'),
        refuse('s', -32602, 'Invalid params', { details: 'no such mode' }),
      ),
    );
    const set = harness.rejectionOf(harness.controller.setConfig('mode', 'code'));
    assert.deepEqual(valuesOf(harness), [['mode', 'code']], 'shown at once');
    assert.equal(await set, 'no such mode');
    assert.deepEqual(valuesOf(harness), [['mode', 'ask']]);
    await harness.end();
  });

  it('CF-7 takes the complete list of the answer', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        preset('session/new', {
          configOptions: [select('model', 'm1', 'm1', 'm2'), fast(false)],
          modes: MODES,
        }),
        expectCall('session/set_config_option', 's', {
          check: { params: { sessionId: 'sess-replay-1', configId: 'model', value: 'm2' } },
        }),
        answer('s', { configOptions: [select('model', 'm2', 'm1', 'm2'), select('effort', 'low', 'low')] }),
      ),
    );
    assert.deepEqual(
      valuesOf(harness),
      [
        ['model', 'm1'],
        ['fast', false],
      ],
      'MO-4: without the modes',
    );
    await harness.controller.setConfig('model', 'm2');
    assert.deepEqual(valuesOf(harness), [
      ['model', 'm2'],
      ['effort', 'low'],
    ]);
    await harness.end();
  });

  it('CF-6 CF-9 sends a switch as boolean, while a turn runs, and takes it back on refusal', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        preset('session/new', { configOptions: [fast(false)] }),
        expectCall('session/prompt', 'p'),
        expectCall('session/set_config_option', 's', {
          check: { 'params.type': 'boolean', 'params.value': true, 'params.configId': 'fast' },
        }),
        refuse('s', -32603, 'not now'),
        end('p'),
      ),
    );
    const turn = harness.prompt('go');
    await harness.until(() => harness.state.turn.status === 'running');
    assert.equal(await harness.rejectionOf(harness.controller.setConfig('fast', true)), 'not now');
    assert.deepEqual(valuesOf(harness), [['fast', false]]);
    await turn;
    await harness.end();
  });

  it('CF-8 CF-9 keeps an update of the agent that comes before its refusal', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        preset('session/new', { configOptions: [select('model', 'm1', 'm1', 'm2', 'm3')] }),
        expectCall('session/set_config_option', 's'),
        update({
          sessionUpdate: 'config_option_update',
          configOptions: [select('model', 'm3', 'm1', 'm2', 'm3')],
        }),
        refuse('s', -32603, 'fell back to m3'),
      ),
    );
    assert.equal(await harness.rejectionOf(harness.controller.setConfig('model', 'm2')), 'fell back to m3');
    assert.deepEqual(valuesOf(harness), [['model', 'm3']]);
    await harness.end();
  });

  it('CF-9 leaves alone what the session has not', async () => {
    const run = new Replay();
    const harness = await SessionHarness.open(run);
    await harness.controller.setConfig('nothing', 'x');
    await harness.end();
    assert.deepEqual(run.calls, ['initialize', 'session/new']);
  });
});
