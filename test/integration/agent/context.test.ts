import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LOOP_META, type ClientCapabilities } from '../../../src/core/acp';
import { asList, asObject, asString } from '../../../src/core/json';
import { ModelServer, type RecordedRequest } from '../../support/modelServer/modelServer';
import type { ScriptedAnswer } from '../../support/modelServer/script';
import { agentEnvironment, bundledAgent, Peer, type PeerOptions } from './peer';
import { makeWorkspace } from './workspace';

const SIZE = 20_000;
const SUMMARY = 'We talked about words.';

const answer = (text: string, input: number): ScriptedAnswer => ({
  text: [text],
  usage: { input, output: 10 },
});

/** A prompt of about as many tokens. */
const words = (tokens: number): string => 'word '.repeat((tokens * 4) / 5);

/** What the model was given beside its instructions. */
function messagesOf({ body }: RecordedRequest): { role?: string; text: string }[] {
  return asList(body['messages'])
    .map(asObject)
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => ({
      role: asString(role) ?? '',
      text: typeof content === 'string' ? content : JSON.stringify(content),
    }));
}

describe('built-in agent, context', () => {
  const cwd = makeWorkspace({ 'AGENTS.md': 'Answer in rhymes.\n' });
  const home = mkdtempSync(join(tmpdir(), 'parley-home-'));
  let server: ModelServer;
  const client = (capabilities: ClientCapabilities): PeerOptions => ({ home, capabilities });

  before(async () => {
    server = await ModelServer.start();
    const endpoint = server.endpoint('openai-compatible');
    const model = { provider: 'openai-compatible', endpoint, model: 'scripted', contextTokens: SIZE };
    writeFileSync(join(home, 'model.json'), JSON.stringify(model));
  });
  afterEach(() => server.reset());
  after(async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('NO-3 SE-8 summarizes a conversation that gets too long, and goes on with the summary in another process', async () => {
    const compaction: ClientCapabilities = {
      session: { compaction: {} },
      _meta: { [LOOP_META]: { turnEvents: true } },
    };
    const { peer, sessionId } = await Peer.inSession(cwd, client(compaction));
    server.answer(
      answer('One.', 7000),
      answer('Two.', 14_500),
      answer(SUMMARY, 14_000),
      answer('Three.', 7500),
    );
    for (const _ of [1, 2]) await peer.prompt(sessionId, words(6000));
    assert.deepEqual(peer.updates('compaction_update'), []);
    const { _meta } = await peer.prompt(sessionId, `third ${words(5000)}`);
    assert.deepEqual(asObject(asObject(_meta)[LOOP_META]), {
      modelCalls: 2,
      usage: { inputTokens: 21_500, outputTokens: 20 },
    });
    const updates = peer.updates('compaction_update');
    assert.deepEqual(
      updates.map(({ status }) => status),
      ['in_progress', 'completed'],
    );
    assert.deepEqual(updates[1]?.['summary'], [{ type: 'text', text: SUMMARY }]);
    assert.equal(peer.text, 'One.Two.Three.');
    const purposes = peer.calls('_parley/turn_start').map(({ params }) => asObject(params)['purpose']);
    assert.deepEqual(purposes, [undefined, undefined, 'compaction', undefined]);
    assert.equal(peer.calls('_parley/turn_end').length, 4);
    await peer.end();

    const [, , summary, third] = server.requests;
    assert.ok(summary && third);
    assert.equal(summary.body['tools'], undefined);
    assert.match(JSON.stringify(third.body), /Answer in rhymes/);
    const given = messagesOf(third);
    assert.equal(given.length, 1);
    assert.ok(given[0]?.text.includes(SUMMARY) && given[0].text.includes('third word'));

    server.reset();
    server.answer(answer('Four.', 7600));
    const again = await Peer.start(client(compaction));
    await again.initialize();
    await again.request('session/load', { sessionId, cwd, mcpServers: [] });
    assert.equal(again.text, 'One.Two.Three.');
    assert.equal(again.updates('user_message_chunk').length, 3);
    assert.deepEqual(
      again.updates('compaction_update').map(({ status }) => status),
      ['completed'],
    );
    await again.prompt(sessionId, 'fourth');
    const [fourth] = server.requests;
    assert.ok(fourth);
    assert.deepEqual(messagesOf(fourth).slice(0, 1), given);
    assert.deepEqual(
      messagesOf(fourth).map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    await again.end();

    const log = promisify(execFile)(process.execPath, [await bundledAgent(), 'log', sessionId], {
      env: agentEnvironment({ home }),
    });
    const { stdout } = await log;
    assert.match(stdout, /model call 3: compaction +\d+\.\d s +14000 \/ 10\n/);
    assert.match(stdout, /5 model calls, 0 tool calls; 50600 tokens in, 50 out\n$/);
  });

  it('/compact summarizes at once, and a client that knows nothing of it sees one plain answer', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, client({}));
    server.answer(answer('One.', 3000), answer(SUMMARY, 2000));
    await peer.prompt(sessionId, words(2000));
    assert.equal((await peer.prompt(sessionId, '/compact')).stopReason, 'end_turn');
    assert.match(peer.text, /^One\.The conversation is summarized: about [\d,]+ tokens became [\d,]+\.$/);
    assert.deepEqual(peer.updates('compaction_update'), []);
    assert.equal(peer.calls('_parley/turn_start').length, 0);
    await peer.end();
  });
});
