import { RequestError } from '@agentclientprotocol/sdk';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asList, asObject, type JsonObject } from '../../../src/core/json';
import { LM_META, LmMethod } from '../../../src/core/languageModels';
import { Peer, type PeerOptions, type Serve } from './peer';
import { makeWorkspace } from './workspace';

const PARROT = { id: 'zoo/parrot', name: 'Parrot', vendor: 'zoo', family: 'birds', maxInputTokens: 4000 };
const WITH_MODELS = { _meta: { [LM_META]: { version: 1 } } };

/** The client of an agent, with language models of its own that answer as each test says. */
class ModelClient {
  peer: Peer | undefined;
  models: object[] = [PARROT];
  /** What the models were given. */
  readonly calls: JsonObject[] = [];
  answer: (params: JsonObject, signal: AbortSignal) => Promise<object> = () => Promise.resolve({});

  serve: Record<string, Serve> = {
    [LmMethod.models]: () => ({ models: this.models }),
    [LmMethod.send]: (params, signal) => {
      this.calls.push(params);
      return this.answer(params, signal);
    },
  };

  async part({ callId }: JsonObject, part: object): Promise<void> {
    assert.ok(this.peer);
    await this.peer.agent.notify(LmMethod.part, { callId, part });
  }

  /** A session whose model is the parrot. */
  async inSession(cwd: string, options: PeerOptions = {}): Promise<{ peer: Peer; sessionId: string }> {
    const peer = await Peer.start({ capabilities: WITH_MODELS, serve: this.serve, ...options });
    this.peer = peer;
    await peer.initialize();
    const sessionId = await peer.newSession(cwd);
    await peer.until(() => choicesOf(peer).includes('vscode/zoo/parrot'));
    await choose(peer, sessionId, 'vscode/zoo/parrot');
    return { peer, sessionId };
  }
}

const choose = (peer: Peer, sessionId: string, value: string): Promise<JsonObject> =>
  peer.request('session/set_config_option', { sessionId, configId: 'model', value });

const modelOption = (options: unknown): JsonObject =>
  asObject(asList(options).find((option) => asObject(option)['id'] === 'model'));

/** The option that holds the model, as the agent told it last, also in an answer. */
function modelToldBy(peer: Peer): JsonObject {
  const told = peer.messages.flatMap(({ result, params }) => {
    const options =
      asObject(result)['configOptions'] ?? asObject(asObject(params)['update'])['configOptions'];
    return options === undefined ? [] : [options];
  });
  return modelOption(told.at(-1));
}

const choicesOf = (peer: Peer): unknown[] =>
  asList(modelToldBy(peer)['options']).map((option) => asObject(option)['value']);

/** The error that a prompt ends with. */
async function failureOf(peer: Peer, sessionId: string): Promise<{ message: string; data: unknown }> {
  try {
    await peer.prompt(sessionId, 'hello');
  } catch (error) {
    return error as { message: string; data: unknown };
  }
  return assert.fail('the prompt did not fail');
}

describe('built-in agent with the models of its client', () => {
  const cwd = makeWorkspace({ 'README.md': '# Hello\n' });

  it('asks for none where the client announced none', async () => {
    const client = new ModelClient();
    const { peer, sessionId } = await Peer.inSession(cwd, { serve: client.serve });
    assert.equal((await peer.prompt(sessionId, 'help')).stopReason, 'end_turn');
    assert.deepEqual(choicesOf(peer), ['offline']);
    assert.deepEqual(peer.calls(LmMethod.models), []);
    await peer.end();
  });

  it('offers them beside its own, and uses none before the person chose one', async () => {
    const client = new ModelClient();
    const peer = await Peer.start({ capabilities: WITH_MODELS, serve: client.serve });
    await peer.initialize();
    const sessionId = await peer.newSession(cwd);
    await peer.until(() => choicesOf(peer).length === 2);
    const model = modelToldBy(peer);
    assert.equal(model['currentValue'], 'offline');
    assert.deepEqual(asList(model['options'])[0], {
      value: 'vscode/zoo/parrot',
      name: 'Parrot',
      description: 'VS Code · zoo',
    });
    assert.equal((await peer.prompt(sessionId, 'help')).stopReason, 'end_turn');
    assert.deepEqual(client.calls, []);
    await peer.end();
  });

  it('PT-8 makes one request for each model call, with the conversation and the tools', async () => {
    const client = new ModelClient();
    const { peer, sessionId } = await client.inSession(cwd);
    client.answer = async (params) => {
      await client.part(params, { type: 'thought', text: 'hm' });
      await client.part(params, { type: 'text', text: 'Hello ' });
      await client.part({ callId: 'another' }, { type: 'text', text: 'not mine ' });
      await client.part(params, { type: 'unknown', text: 'nothing ' });
      await client.part(params, { type: 'text', text: 'you' });
      return {};
    };
    const { stopReason } = await peer.prompt(sessionId, 'hello');
    assert.equal(stopReason, 'end_turn');
    assert.equal(peer.text, 'Hello you');
    assert.equal(asObject(peer.updates('agent_thought_chunk')[0]?.['content'])['text'], 'hm');
    assert.equal(client.calls.length, 1);
    const [call = {}] = client.calls;
    assert.equal(call['modelId'], 'zoo/parrot');
    const [instructions, said] = asList(call['messages']).map(asObject);
    assert.match(String(asObject(asList(instructions?.['parts'])[0])['text']), /coding agent/);
    assert.deepEqual(said, { role: 'user', parts: [{ type: 'text', text: 'hello' }] });
    const names = asList(call['tools']).map((tool) => asObject(tool)['name']);
    assert.ok(names.includes('write_file') && names.includes('read_file'));
    await peer.end();
  });

  it('PE-1 runs the tools that a model asks for, after a permission, and gives back what came of them', async () => {
    const client = new ModelClient();
    const asked: JsonObject[] = [];
    client.serve['session/request_permission'] = (params) => {
      asked.push(params);
      return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
    };
    const { peer, sessionId } = await client.inSession(cwd);
    client.answer = async (params) => {
      if (client.calls.length > 1) await client.part(params, { type: 'text', text: 'Written.' });
      else {
        await client.part(params, { type: 'text', text: 'I write.' });
        const input = { path: 'new.txt', text: 'x\n' };
        await client.part(params, { type: 'toolCall', callId: 'their-id', name: 'write_file', input });
      }
      return {};
    };
    assert.equal((await peer.prompt(sessionId, 'write')).stopReason, 'end_turn');
    assert.equal(asked.length, 1);
    assert.ok(existsSync(join(cwd, 'new.txt')));
    const messages = asList(client.calls[1]?.['messages']).map(asObject).slice(2);
    const [request, result] = messages;
    assert.equal(messages.length, 2);
    assert.equal(request?.['role'], 'assistant');
    const call = asObject(asList(request?.['parts'])[1]);
    assert.equal(call['name'], 'write_file');
    const given = asObject(asList(result?.['parts'])[0]);
    assert.equal(result?.['role'], 'user');
    assert.equal(given['type'], 'toolResult');
    assert.equal(given['callId'], call['callId']);
    await peer.end();
  });

  it('CA-1 CA-7 a cancel also ends the request to the client', async () => {
    const client = new ModelClient();
    const { peer, sessionId } = await client.inSession(cwd);
    let cancelled = false;
    client.answer = async (params, signal) => {
      await client.part(params, { type: 'text', text: 'One, ' });
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      cancelled = true;
      throw new Error('cancelled');
    };
    const turn = peer.prompt(sessionId, 'count');
    await peer.until(() => peer.text === 'One, ');
    await peer.cancel(sessionId);
    assert.equal((await turn).stopReason, 'cancelled');
    await peer.until(() => peer.calls('$/cancel_request').length > 0);
    client.answer = async (params) => {
      await client.part(params, { type: 'text', text: 'again' });
      return {};
    };
    assert.equal((await peer.prompt(sessionId, 'again')).stopReason, 'end_turn');
    assert.ok(cancelled);
    await peer.end();
  });

  it('RP-3 tells why a model call failed, by the sentence and the kind of the client', async () => {
    const client = new ModelClient();
    const { peer, sessionId } = await client.inSession(cwd);
    client.answer = () => Promise.reject(wireError('The parrot is not allowed.', { kind: 'request' }));
    const refused = await failureOf(peer, sessionId);
    assert.match(refused.message, /The parrot is not allowed\./);
    assert.deepEqual(asObject(refused.data)['kind'], 'model_request');
    client.answer = () => Promise.reject(wireError('The parrot sleeps.', { kind: 'made up' }));
    assert.deepEqual(asObject((await failureOf(peer, sessionId)).data)['kind'], 'model_server');
    await peer.end();
  });

  it('CF-8 follows the list of the client, and leaves a model that is gone', async () => {
    const client = new ModelClient();
    const { peer, sessionId } = await client.inSession(cwd);
    const owl = { ...PARROT, id: 'zoo/owl', name: 'Owl' };
    client.models = [owl];
    await peer.agent.notify(LmMethod.changed, {});
    await peer.until(() => choicesOf(peer).includes('vscode/zoo/owl'));
    assert.deepEqual(choicesOf(peer), ['vscode/zoo/owl', 'offline']);
    const model = modelOption(peer.updates('config_option_update').at(-1)?.['configOptions']);
    assert.equal(model['currentValue'], 'offline');
    const told = peer.updates('config_option_update').length;
    client.models = [{ ...owl }];
    await peer.agent.notify(LmMethod.changed, {});
    await peer.until(() => peer.calls(LmMethod.models).length === 3);
    assert.equal((await peer.prompt(sessionId, 'help')).stopReason, 'end_turn');
    assert.equal(peer.updates('config_option_update').length, told, 'the same list is no news');
    await peer.end();
  });

  it('keeps the model of a session that goes on while the list is still on its way', async () => {
    const client = new ModelClient();
    const { peer, sessionId } = await client.inSession(cwd);
    client.answer = async (params) => {
      await client.part(params, { type: 'text', text: 'mine' });
      return {};
    };
    await peer.prompt(sessionId, 'one');
    await peer.end();

    const later = new ModelClient();
    later.answer = async (params) => {
      await later.part(params, { type: 'text', text: 'still mine' });
      return {};
    };
    let list: (models: object) => void = () => undefined;
    later.serve[LmMethod.models] = () => new Promise<object>((resolve) => (list = resolve));
    const next = await Peer.start({ capabilities: WITH_MODELS, serve: later.serve });
    later.peer = next;
    await next.initialize();
    await next.request('session/resume', { sessionId, cwd, mcpServers: [] });
    assert.equal((await next.prompt(sessionId, 'two')).stopReason, 'end_turn');
    assert.equal(next.text, 'still mine');
    list({ models: [PARROT] });
    await next.until(() => choicesOf(next).includes('vscode/zoo/parrot'));
    await next.end();
  });

  it('keeps the list that it has where the client fails to tell a newer one', async () => {
    const client = new ModelClient();
    let fails = false;
    client.serve[LmMethod.models] = () =>
      fails ? Promise.reject(wireError('No list.', {})) : { models: client.models };
    const { peer, sessionId } = await client.inSession(cwd);
    fails = true;
    client.answer = async (params) => {
      await client.part(params, { type: 'text', text: 'still mine' });
      return {};
    };
    await peer.agent.notify(LmMethod.changed, {});
    await peer.until(() => peer.calls(LmMethod.models).length === 2);
    // Its answer comes after that of the client.
    await peer.prompt(sessionId, '/help');
    assert.deepEqual(client.calls, []);
    assert.equal((await peer.prompt(sessionId, 'hello')).stopReason, 'end_turn');
    assert.match(peer.text, /still mine$/);
    await peer.end();
  });

  it('goes on with its own models where the client does not tell its list', async () => {
    const client = new ModelClient();
    client.serve[LmMethod.models] = () => Promise.reject(wireError('No list.', {}));
    const { peer, sessionId } = await Peer.inSession(cwd, { capabilities: WITH_MODELS, serve: client.serve });
    assert.equal((await peer.prompt(sessionId, 'help')).stopReason, 'end_turn');
    await peer.end();
  });
});

const wireError = (message: string, data: object): Error => new RequestError(-32603, message, data);
