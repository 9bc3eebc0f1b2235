import assert from 'node:assert/strict';
import { asObject, type JsonObject } from '../../../src/core/json';
import { conversationIn, type AskedMessage } from '../../support/modelServer/asked';
import { ModelServer, type ScriptedProvider } from '../../support/modelServer/modelServer';
import { LOOP_CLIENT, Peer, type Serve } from './peer';

/** A key that must never be seen anywhere but by the server. */
export const KEY = 'sk-test-0123456789-secret';

export const ASK = 'session/request_permission';
export const allow: Serve = () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } });

/** The environment that sets a scripted server up. */
export function modelEnvironment(server: ModelServer, provider: ScriptedProvider): NodeJS.ProcessEnv {
  return {
    PARLEY_AGENT_PROVIDER: provider,
    PARLEY_AGENT_ENDPOINT: server.endpoint(provider),
    PARLEY_AGENT_MODEL: 'scripted',
    PARLEY_AGENT_API_KEY: KEY,
  };
}

/** A session of the built-in agent whose model is a scripted one. */
export class ScriptedSession {
  constructor(
    private readonly suite: Suite,
    readonly peer: Peer,
    readonly id: string,
  ) {}

  get server(): ModelServer {
    return this.suite.server;
  }

  get provider(): ScriptedProvider {
    return this.suite.provider;
  }

  prompt(text: string): ReturnType<Peer['prompt']> {
    return this.peer.prompt(this.id, text);
  }

  cancel(): Promise<void> {
    return this.peer.cancel(this.id);
  }

  /** The sentence and the code of a prompt that has to fail. */
  async failure(text: string): Promise<{ code: number; message: string; kind: unknown }> {
    try {
      await this.prompt(text);
    } catch (error) {
      const { code, message, data } = asObject(error);
      return { code: Number(code), message: String(message), kind: asObject(data)['kind'] };
    }
    return assert.fail('The prompt did not fail');
  }

  /** The conversation in the last request. */
  get asked(): AskedMessage[] {
    return conversationIn(this.provider, this.server.requests.at(-1)?.body ?? {});
  }

  /** What the agent told of this session by a method. */
  calls(method: string): JsonObject[] {
    return this.peer
      .calls(method)
      .map(({ params }) => asObject(params))
      .filter(({ sessionId }) => sessionId === this.id);
  }

  updates(kind: string): JsonObject[] {
    return this.calls('session/update')
      .map(({ update }) => asObject(update))
      .filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  /** What the model said, or what it thought. */
  text(kind = 'agent_message_chunk'): string {
    return this.updates(kind)
      .map(({ content }) => String(asObject(content)['text']))
      .join('');
  }

  /** Each model call is told by a start and an end, and is one request. */
  checkCalls(count: number): void {
    assert.equal(this.server.requests.length, count, 'requests');
    this.checkTurns(count);
  }

  checkTurns(count: number): void {
    const ids = (method: string): unknown[] => this.calls(method).map(({ turnId }) => turnId);
    assert.equal(ids('_parley/turn_start').length, count, 'starts');
    assert.deepEqual(ids('_parley/turn_end'), ids('_parley/turn_start'));
  }
}

/** What the tests of one provider share: a server, and an agent that uses it. */
export class Suite {
  private agent: Peer | undefined;
  private readonly own: Peer[] = [];
  private serve: Serve = allow;

  private constructor(
    readonly provider: ScriptedProvider,
    readonly server: ModelServer,
  ) {}

  static async start(provider: ScriptedProvider): Promise<Suite> {
    return new Suite(provider, await ModelServer.start());
  }

  /** Answers the agent's questions until the end of the test. */
  onPermission(serve: Serve): void {
    this.serve = serve;
  }

  /** A session of the agent that the tests share; one with an environment of its own is in an agent of its own. */
  async session(cwd: string, env?: NodeJS.ProcessEnv): Promise<ScriptedSession> {
    const peer = env ? await this.start(env) : (this.agent ??= await this.start({}));
    if (env) this.own.push(peer);
    return new ScriptedSession(this, peer, await peer.newSession(cwd));
  }

  private async start(env: NodeJS.ProcessEnv): Promise<Peer> {
    const peer = await Peer.start({
      capabilities: LOOP_CLIENT,
      serve: { [ASK]: (params, signal) => this.serve(params, signal) },
      env: { ...modelEnvironment(this.server, this.provider), ...env },
    });
    await peer.initialize();
    return peer;
  }

  async afterTest(): Promise<void> {
    this.server.reset();
    this.serve = allow;
    for (const peer of this.own.splice(0)) await endWithoutKey(peer);
  }

  async end(): Promise<void> {
    if (this.agent) await endWithoutKey(this.agent);
    await this.server.stop();
  }
}

/** Nothing that the agent wrote has the key in it. */
async function endWithoutKey(peer: Peer): Promise<void> {
  await peer.end();
  for (const text of [peer.stderr, ...peer.lines]) assert.ok(!text.includes(KEY), text);
}

/** The same tests for each wire format. */
export function describeProviders(title: string, define: (suite: () => Suite) => void): void {
  for (const provider of ['openai-compatible', 'anthropic', 'google'] as const) {
    describe(`built-in agent, ${title}: ${provider}`, () => {
      let suite: Suite | undefined;
      const get = (): Suite => suite ?? assert.fail('The suite has not started');
      before(async () => (suite = await Suite.start(provider)));
      afterEach(() => get().afterTest());
      after(() => get().end());
      define(get);
    });
  }
}
