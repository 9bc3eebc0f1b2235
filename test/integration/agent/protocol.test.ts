import assert from 'node:assert/strict';
import { once } from 'node:events';
import { asList, asObject } from '../../../src/core/json';
import { LOOP_CLIENT, Peer } from './peer';
import { wireProblemsOf } from '../../support/wireSchema';
import { makeWorkspace } from './workspace';

describe('built-in agent, protocol', () => {
  const cwd = makeWorkspace({ 'README.md': '# Hello\n' });

  it('IN-2 IN-8 answers version 1 with what it can do and what it is', async () => {
    const peer = await Peer.start();
    const answer = await peer.request('initialize', { protocolVersion: 7, clientCapabilities: {} });
    assert.equal(answer['protocolVersion'], 1);
    assert.deepEqual(answer['agentInfo'], {
      name: 'parley-builtin',
      title: 'Parley built-in',
      version: '0.1.0',
    });
    assert.equal(asObject(answer['agentCapabilities'])['loadSession'], true);
    assert.deepEqual(answer['authMethods'], []);
    assert.equal(await peer.codeOf('initialize', { protocolVersion: 1 }), -32600);
    await peer.end();
  });

  it('IN-1 answers -32600 before initialize', async () => {
    const peer = await Peer.start();
    assert.equal(await peer.codeOf('session/new', { cwd, mcpServers: [] }), -32600);
    assert.equal(await peer.codeOf('session/prompt', { sessionId: 'x', prompt: [] }), -32600);
    assert.equal(await peer.codeOf('initialize', { protocolVersion: '1' }), -32602);
    await peer.initialize();
    assert.notEqual(await peer.newSession(cwd), '');
    await peer.end();
  });

  it('SE-3 SE-4 checks the folder and gives each session an id of its own', async () => {
    const peer = await Peer.start();
    await peer.initialize();
    assert.equal(await peer.codeOf('session/new', { cwd: 'src', mcpServers: [] }), -32602);
    assert.equal(await peer.codeOf('session/new', { mcpServers: [] }), -32602);
    assert.equal(
      await peer.codeOf('session/new', { cwd, mcpServers: [], additionalDirectories: ['src'] }),
      -32602,
    );
    assert.notEqual(await peer.newSession(cwd), await peer.newSession(cwd));
    await peer.end();
  });

  it('EX-3 RP-3 answers unknown methods and sessions with the codes of the protocol', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd);
    assert.equal(await peer.codeOf('_x/unknown', {}), -32601);
    assert.equal(await peer.codeOf('session/fork', { sessionId, cwd, mcpServers: [] }), -32601);
    assert.equal(await peer.codeOf('authenticate', { methodId: 'x' }), -32602);
    assert.equal(await peer.codeOf('session/prompt', { sessionId: 'x', prompt: [] }), -32002);
    assert.equal(await peer.codeOf('session/set_mode', { sessionId, modeId: 'x' }), -32602);
    const bad = { sessionId, prompt: [{ type: 'image', data: '', mimeType: 'image/png' }] };
    assert.equal(await peer.codeOf('session/prompt', bad), -32602);
    await peer.agent.notify('_x/unknown', {});
    await peer.cancel('x');
    assert.equal((await peer.prompt(sessionId, 'help')).stopReason, 'end_turn');
    await peer.end();
  });

  it('TR-11 skips lines that are no messages', async () => {
    const peer = await Peer.start();
    peer.child.stdin.write('hello\n\n{"a":1}\n[1]\n');
    await peer.initialize();
    assert.equal(peer.lines.length, 1);
    await peer.end();
  });

  it('SC-1 announces its commands right after the answer to session/new', async () => {
    const { peer } = await Peer.inSession(cwd);
    await peer.until(() => peer.updates('available_commands_update').length > 0);
    const [update = {}] = peer.updates('available_commands_update');
    const names = asList(update['availableCommands']).map((command) => asObject(command)['name']);
    assert.deepEqual(names, ['tour', 'help', 'compact']);
    const [, answer = {}, announcement = {}] = peer.messages;
    assert.ok('result' in answer && 'method' in announcement);
    await peer.end();
  });

  it('MO-2 CF-7 CF-8 keeps modes and options in sync and tells a change in both ways', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd);
    await peer.request('session/set_mode', { sessionId, modeId: 'plan' });
    assert.deepEqual(peer.updates('current_mode_update').at(-1)?.['currentModeId'], 'plan');
    const value = (update: unknown): unknown =>
      asObject(asList(asObject(update)['configOptions'])[0])['currentValue'];
    assert.equal(value(peer.updates('config_option_update').at(-1)), 'plan');
    const change = { sessionId, configId: 'mode', value: 'interactive' };
    assert.equal(value(await peer.request('session/set_config_option', change)), 'interactive');
    assert.deepEqual(peer.updates('current_mode_update').at(-1)?.['currentModeId'], 'interactive');
    await peer.request('session/set_config_option', change);
    assert.equal(peer.updates('current_mode_update').length, 2);
    const wrong = { sessionId, configId: 'mode', type: 'boolean', value: true };
    assert.equal(await peer.codeOf('session/set_config_option', wrong), -32602);
    assert.equal(await peer.codeOf('session/set_config_option', { ...change, configId: 'x' }), -32602);
    await peer.end();
  });

  it('SI-1 gives the session a title from its first prompt only', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd);
    await peer.prompt(sessionId, 'help');
    await peer.prompt(sessionId, 'read README.md');
    assert.deepEqual(
      peer.updates('session_info_update').map(({ title }) => title),
      ['help'],
    );
    await peer.end();
  });

  it('PT-7 takes one prompt at a time in a session, and several sessions at once', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, { pace: 0.05 });
    const other = await peer.newSession(cwd);
    const counting = peer.prompt(sessionId, 'count slowly to 500');
    await peer.until(() => peer.text.startsWith('1, '));
    assert.equal(await peer.codeOf('session/prompt', { sessionId, prompt: [] }), -32600);
    assert.equal((await peer.prompt(other, 'read README.md')).stopReason, 'end_turn');
    await peer.cancel(sessionId);
    assert.equal((await counting).stopReason, 'cancelled');
    await peer.end();
  });

  it('sends the loop notifications only to a client that announced them', async () => {
    const plain = await Peer.inSession(cwd);
    await plain.peer.prompt(plain.sessionId, 'read README.md');
    assert.equal(plain.peer.calls('_parley/turn_start').length, 0);
    await plain.peer.end();
    const loop = await Peer.inSession(cwd, { capabilities: LOOP_CLIENT });
    const answer = await loop.peer.prompt(loop.sessionId, 'read README.md');
    assert.equal(loop.peer.calls('_parley/turn_start').length, 2);
    assert.equal(loop.peer.calls('_parley/turn_end').length, 2);
    assert.deepEqual(answer._meta, { 'parley.agentLoop': { modelCalls: 2 } });
    await loop.peer.end();
  });

  it('TR-8 ends when its input ends, also in the middle of a prompt', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, { pace: 1 });
    const prompt = peer.prompt(sessionId, 'count slowly to 1000').catch(() => undefined);
    await peer.until(() => peer.text !== '');
    const exit = once(peer.child, 'exit');
    peer.child.stdin.end();
    assert.deepEqual(await exit, [0, null]);
    await prompt;
  });
});

describe('the check of the wire', () => {
  it('finds what the schema forbids', () => {
    const update = (value: object): string =>
      JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', ...value } });
    const good = { update: { sessionUpdate: 'plan', entries: [] } };
    assert.deepEqual(wireProblemsOf('agent', [update(good)], []), []);
    const bad = [
      'hello',
      update({ update: { sessionUpdate: 'plan', entries: [{ content: 'x' }] } }),
      update({ ...good, extra: 1 }),
      JSON.stringify({ jsonrpc: '2.0', method: 'session/unknown', params: {} }),
      JSON.stringify({ jsonrpc: '2.0', id: 9, result: {} }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { stopReason: 'tired' } }),
    ];
    const sent = [{ jsonrpc: '2.0', id: 1, method: 'session/prompt' }];
    for (const line of bad) assert.equal(wireProblemsOf('agent', [line], sent).length, 1, line);
  });
});
