import assert from 'node:assert/strict';
import type { ClientExtension, FileSystemPort, TerminalPort } from '../../../src/acp/agentClient';
import { asObject, type JsonObject } from '../../../src/core/json';
import { capabilitiesOf } from '../../../src/host/agents/agentConnector';
import { agentLoop } from '../../../src/host/extensions/agentLoop';
import { answered, end, expectCall, Replay, request, update } from '../../support/replayScript';
import { text } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const notify = (method: string, params: JsonObject): JsonObject => ({
  send: { jsonrpc: '2.0', method, params },
});

/** An extension that remembers what it got. */
class Weather implements ClientExtension {
  readonly got: unknown[] = [];
  readonly announce = { 'example.com': { weather: 1 } };
  readonly requests: NonNullable<ClientExtension['requests']> = {
    '_example.com/weather': ({ place }) => ({ place, sky: 'blue' }),
    '_example.com/nothing': () => undefined,
    '_example.com/broken': () => {
      throw new Error('secret path /home/me');
    },
    'fs/read_text_file': () => assert.fail('it is not the extension that serves files'),
    'session/request_permission': () => assert.fail('it is not the extension that asks'),
  };
  readonly notifications: NonNullable<ClientExtension['notifications']> = {
    '_example.com/rain': (params) => this.got.push(params),
    'session/update': () => assert.fail('it is not the extension that takes updates'),
  };
}

/** Plays steps in a turn of an agent, with the extension registered. */
async function withWeather(weather: Weather, ...steps: JsonObject[]): Promise<SessionHarness> {
  const run = new Replay(expectCall('session/prompt', 'p'), ...steps, update(text('DONE')), end('p'));
  const harness = new SessionHarness({ replay: [run] });
  harness.morePorts = { extensions: [agentLoop, weather] };
  assert.match((await harness.prompt('go')).text, /DONE$/);
  return harness;
}

describe('extensions', () => {
  it('EX-4 a registered one serves its requests, with their ids; others get -32601', async () => {
    const harness = await withWeather(
      new Weather(),
      request('w', '_example.com/weather', { place: 'here' }),
      answered('w', { result: { place: 'here', sky: 'blue' } }),
      request(7, '_example.com/nothing', {}),
      answered(7, { result: {} }),
      request('b', '_example.com/broken', {}),
      answered('b', { 'error.code': -32603, 'error.message': { $not: { $re: 'secret' } } }),
      request('u', '_other/thing', {}),
      answered('u', { 'error.code': -32601 }),
    );
    await harness.end();
  });

  it('EX-5 a registered one takes its notifications; others are ignored and logged once', async () => {
    const weather = new Weather();
    const harness = await withWeather(
      weather,
      notify('_example.com/rain', { mm: 3 }),
      notify('_other/thing', {}),
      notify('_other/thing', {}),
      notify('something/else', {}),
    );
    assert.deepEqual(weather.got, [{ mm: 3 }]);
    assert.deepEqual(
      harness.log.filter((line) => line.includes('notification')),
      ['ignored notification _other/thing', 'ignored notification something/else'],
    );
    await harness.end();
  });

  it('EX-4 none takes the place of the protocol, not even of what is not served', async () => {
    const harness = await withWeather(
      new Weather(),
      request('f', 'fs/read_text_file', { sessionId: '$SESSION', path: '/a' }),
      answered('f', { 'error.code': -32601 }),
    );
    await harness.end();
  });

  it('EX-6 CC-7 each is announced in _meta', async () => {
    const harness = await withWeather(new Weather());
    const { params } = harness.sent.find(({ method }) => method === 'initialize') ?? {};
    assert.deepEqual(asObject(asObject(params)['clientCapabilities'])['_meta'], {
      ...agentLoop.announce,
      'example.com': { weather: 1 },
    });
    await harness.end();
  });

  it('EX-1 EX-7 _meta of an update is in its action, whatever it is', async () => {
    const meta = { 'example.com': [1, { deep: null }], traceparent: '00-1-2-01' };
    const harness = await withWeather(
      new Weather(),
      update({ ...text('with'), _meta: meta }),
      update({ ...text(' odd'), _meta: 'a text' }),
      update({ sessionUpdate: 'from_the_future', _meta: meta }),
    );
    const updates = harness.actions.flatMap((action) => (action.type === 'update' ? [action] : []));
    assert.deepEqual(
      updates.map((action) => action.meta),
      [meta, undefined, meta, undefined],
    );
    assert.deepEqual(harness.state.unknownUpdates, { from_the_future: 1 });
    await harness.end();
  });
});

describe('what is announced', () => {
  const bare = {
    session: { update: () => undefined },
    permission: { request: () => Promise.resolve({}) },
    onUnknownNotification: () => undefined,
  };

  it('CC-1 CC-2 CC-3 CC-5 CC-8 is nothing where nothing is served', () => {
    assert.deepEqual(capabilitiesOf(bare), {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      auth: { terminal: false },
      session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    });
  });

  it('CC-1 CC-2 CC-3 CC-4 CC-5 CC-6 CC-7 is all that is served', () => {
    const all = {
      ...bare,
      files: {} as FileSystemPort,
      terminals: {} as TerminalPort,
      elicitation: { create: () => Promise.resolve({}), complete: () => undefined },
      extensions: [{ announce: { a: 1 } }, {}, { announce: { b: {} } }],
    };
    assert.deepEqual(capabilitiesOf(all), {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      auth: { terminal: true },
      session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
      elicitation: { form: {}, url: {} },
      _meta: { a: 1, b: {} },
    });
  });

  it('CC-1 CC-2 what is not announced gets -32601', async () => {
    const run = new Replay(
      expectCall('session/prompt', 'p'),
      request(1, 'terminal/create', { sessionId: '$SESSION', command: 'ls' }),
      answered(1, { 'error.code': -32601 }),
      request(2, 'fs/write_text_file', { sessionId: '$SESSION', path: '/a', content: '' }),
      answered(2, { 'error.code': -32601 }),
      end('p'),
    );
    const harness = await SessionHarness.open(run);
    await harness.prompt('go');
    await harness.end();
  });
});
