import assert from 'node:assert/strict';
import type { FileSystemPort, TerminalPort } from '../../../src/acp/agentClient';
import { WireError } from '../../../src/core/errors';
import type { JsonObject } from '../../../src/core/json';
import type { ElicitationOwner } from '../../../src/host/bridges/elicitationBridge';
import { scopedHandlers, type Scope, type SharedPorts } from '../../../src/host/session/scopedPorts';

const { signal } = new AbortController();

/** Ports that keep what they are called with. */
class Ports {
  readonly calls: [string, JsonObject][] = [];
  readonly owners: ElicitationOwner[] = [];
  readonly completed: string[] = [];
  readonly shared: SharedPorts = {
    permission: { request: (params) => this.call('permission', params) },
    elicitation: {
      create: (owner, params) => {
        this.owners.push(owner);
        return this.call('elicitation', params);
      },
      complete: (connection, id) => this.completed.push(`${connection} ${id}`),
      cancelConnection: () => undefined,
    },
    files: this.port('readTextFile', 'writeTextFile') as unknown as FileSystemPort,
    terminals: this.port('create', 'output', 'waitForExit', 'kill', 'release') as unknown as TerminalPort,
  };

  private port(...names: string[]): Record<string, (params: JsonObject) => Promise<object>> {
    return Object.fromEntries(names.map((name) => [name, (params: JsonObject) => this.call(name, params)]));
  }

  private call(name: string, params: JsonObject): Promise<object> {
    this.calls.push([name, params]);
    return Promise.resolve({ name });
  }
}

/** A connection whose agent calls Parley's session `key-1` by the name `s`. */
const scopeOf = (front: string | undefined = 'front'): Scope => ({
  connection: 'agent#1',
  keyOf: (sessionId) =>
    sessionId === 's'
      ? Promise.resolve('key-1')
      : Promise.reject(WireError.notFound('The session', { sessionId })),
  frontKey: () => front,
});

const session = { update: () => undefined };

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail('it was answered'),
    (error: unknown) => (error instanceof WireError ? error.code : error),
  );

describe('requests of one connection', () => {
  it('SE-4 SU-8 go to the shared ports under the key of their session, with all else as it came', async () => {
    const ports = new Ports();
    const handlers = scopedHandlers(ports.shared, scopeOf(), session);
    const { permission, files, terminals } = handlers;
    assert.ok(files && terminals);
    const params = { sessionId: 's', _meta: { a: 1 }, other: null };
    const answers = [
      await permission.request(params, signal),
      await files.readTextFile(params),
      await files.writeTextFile(params),
      await terminals.create(params),
      await terminals.output(params),
      await terminals.waitForExit(params),
      await terminals.kill(params),
      await terminals.release(params),
    ];
    const names = [
      'permission',
      'readTextFile',
      'writeTextFile',
      'create',
      'output',
      'waitForExit',
      'kill',
      'release',
    ];
    assert.deepEqual(
      ports.calls,
      names.map((name) => [name, { ...params, sessionId: 'key-1' }]),
    );
    assert.deepEqual(
      answers,
      names.map((name) => ({ name })),
    );
    assert.equal(params.sessionId, 's', 'what the agent sent stays as it is');
  });

  it('RP-3 of an unknown session end in -32002 and reach no port', async () => {
    const ports = new Ports();
    const { permission, files, terminals, elicitation } = scopedHandlers(ports.shared, scopeOf(), session);
    assert.ok(files && terminals && elicitation);
    for (const params of [{ sessionId: 'x' }, { sessionId: 'key-1' }]) {
      assert.equal(await codeOf(Promise.resolve(permission.request(params, signal))), -32002);
      assert.equal(await codeOf(Promise.resolve(files.readTextFile(params))), -32002);
      assert.equal(await codeOf(Promise.resolve(terminals.create(params))), -32002);
      assert.equal(await codeOf(Promise.resolve(elicitation.create(params, signal))), -32002);
    }
    assert.deepEqual(ports.calls, []);
  });

  it('CC-1 CC-2 CC-5 has no more than the shared ports', () => {
    const { permission } = new Ports().shared;
    const handlers = scopedHandlers({ permission }, scopeOf(), session);
    assert.deepEqual(Object.keys(handlers).sort(), ['permission', 'session']);
  });
});

describe('questions of one connection', () => {
  it('EL-6 of a session belong to it, also where a request is named too', async () => {
    const ports = new Ports();
    const { elicitation } = scopedHandlers(ports.shared, scopeOf(), session);
    await elicitation?.create({ sessionId: 's', requestId: 7 }, signal);
    assert.deepEqual(ports.owners, [{ key: 'key-1', connection: 'agent#1' }]);
  });

  for (const requestId of [0, '', 'authenticate-1']) {
    it(`EL-6 of a request (${JSON.stringify(requestId)}) are shown where the person is`, async () => {
      const ports = new Ports();
      const { elicitation } = scopedHandlers(ports.shared, scopeOf(), session);
      await elicitation?.create({ requestId }, signal);
      assert.deepEqual(ports.owners, [{ key: 'front', connection: 'agent#1' }]);
    });
  }

  it('EL-6 of nothing are refused with -32602, and so are those that nobody can show', async () => {
    const ports = new Ports();
    const create = (front: string | undefined, params: JsonObject): Promise<unknown> => {
      const scope = { ...scopeOf(), frontKey: () => front };
      const { elicitation } = scopedHandlers(ports.shared, scope, session);
      return codeOf(Promise.resolve(elicitation?.create(params, signal)));
    };
    assert.equal(await create('front', {}), -32602);
    assert.equal(await create('front', { requestId: null, sessionId: null }), -32602);
    assert.equal(await create(undefined, { requestId: 1 }), -32602);
    assert.deepEqual(ports.calls, []);
  });

  it('EL-26 are completed by connection and id', () => {
    const ports = new Ports();
    const { elicitation } = scopedHandlers(ports.shared, scopeOf(), session);
    elicitation?.complete('page-1');
    assert.deepEqual(ports.completed, ['agent#1 page-1']);
  });
});
