import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { asList, asObject, type JsonObject } from '../../../src/core/json';
import { conversationIn } from '../../support/modelServer/asked';
import { ModelServer } from '../../support/modelServer/modelServer';
import type { ScriptedCall } from '../../support/modelServer/script';
import { bundledAgent, Peer } from './peer';
import { allow, ASK, KEY, modelEnvironment } from './scriptedModel';
import { makeWorkspace } from './workspace';

const RIPGREP = `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin`;

interface Session {
  peer: Peer;
  sessionId: string;
}

describe('built-in agent, the tools of a model', () => {
  let server: ModelServer;
  let open: Peer | undefined;
  before(async () => (server = await ModelServer.start()));
  after(() => server.stop());
  afterEach(async () => {
    server.reset();
    const [peer, lines] = [open, open?.lines ?? []];
    open = undefined;
    await peer?.end();
    assert.ok(!lines.some((line) => line.includes(KEY)));
  });

  async function start(cwd: string, file?: string): Promise<Session> {
    const session = await Peer.inSession(cwd, {
      serve: { [ASK]: allow },
      env: modelEnvironment(server, 'openai-compatible'),
      ...(file === undefined ? {} : { file }),
    });
    open = session.peer;
    return session;
  }

  /** Has the model ask for tools, one answer after the other; gives the results that it got. */
  async function results({ peer, sessionId }: Session, ...answers: ScriptedCall[][]): Promise<string[]> {
    for (const calls of answers) server.answer({ calls });
    server.answer({ text: ['Done.'] });
    assert.equal((await peer.prompt(sessionId, 'go')).stopReason, 'end_turn');
    const asked = conversationIn('openai-compatible', server.requests.at(-1)?.body ?? {});
    return asked.filter(({ role }) => role === 'tool').flatMap(({ results: given = [] }) => given);
  }

  it('searches with the ripgrep beside the bundle (where there is one for the platform)', async function () {
    if (!existsSync(RIPGREP)) this.skip();
    const folder = makeWorkspace({});
    const bundle = await bundledAgent();
    for (const name of readdirSync(dirname(bundle)).filter((file) => /js$/.test(file)))
      cpSync(join(dirname(bundle), name), join(folder, name));
    cpSync(RIPGREP, join(folder, 'ripgrep', `${process.platform}-${process.arch}`), { recursive: true });
    const session = await start(makeWorkspace({ 'a.txt': 'one\ntwo\n' }), join(folder, basename(bundle)));
    const [found] = await results(session, [{ name: 'search_text', args: { text: '^t.o$', regex: true } }]);
    assert.equal(found, 'a.txt:2: two');
  });

  it('finds files and text without ripgrep as well', async () => {
    const session = await start(makeWorkspace({ 'a.txt': 'one\n', 'src/b.ts': 'one\n' }));
    const found = await results(session, [
      { name: 'find_files', args: { pattern: '*.ts' } },
      { name: 'search_text', args: { text: 'ONE', glob: '*.txt' } },
    ]);
    assert.deepEqual(found, ['src/b.ts', 'a.txt:1: one']);
  });

  it('tells the model why a change is not clear, and then makes it', async () => {
    const cwd = makeWorkspace({ 'a.txt': 'one\none\n' });
    const session = await start(cwd);
    const input = { path: 'a.txt', oldText: 'one', newText: 'two' };
    const [first, second] = await results(
      session,
      [{ name: 'edit_file', args: input }],
      [{ name: 'edit_file', args: { ...input, all: true } }],
    );
    assert.match(first ?? '', /2 times, at lines 1 and 2/);
    assert.equal(second, 'Replaced 2 places, at lines 1 and 2.');
    assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'two\ntwo\n');
    assert.equal(session.peer.calls(ASK).length, 1);
  });

  it('PL-2 shows the plan of the model, and again when the session is loaded', async () => {
    const cwd = makeWorkspace({});
    const session = await start(cwd);
    const entries = [{ content: 'Look', status: 'in_progress', priority: 'medium' }];
    await results(session, [{ name: 'update_plan', args: { entries } }]);
    assert.deepEqual(
      session.peer.updates('plan').map((update) => update['entries']),
      [entries],
    );
    const { peer, sessionId } = session;
    await peer.request('session/load', { sessionId, cwd, mcpServers: [] });
    assert.deepEqual(
      peer.updates('plan').map((update) => update['entries']),
      [entries, entries],
    );
  });

  it('gives commands neither the key nor the settings of the agent', async () => {
    const session = await start(makeWorkspace({}));
    const command = `"${process.execPath}" -p "'names: ' + Object.keys(process.env).filter(n => n.startsWith('PARLEY_AGENT'))"`;
    const [output] = await results(session, [{ name: 'run_command', args: { command } }]);
    assert.equal(output, 'Exit code 0\n\nnames:');
  });

  it('asks for a page alone, between the tools before it and those after it', async () => {
    const pages = createServer((_, response) => response.end('the page'));
    await once(pages.listen(0, '127.0.0.1'), 'listening');
    try {
      const session = await start(makeWorkspace({ 'a.txt': 'one\n' }));
      const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
      const read = { name: 'read_file', args: { path: 'a.txt' } };
      const got = await results(session, [read, { name: 'fetch_url', args: { url } }, read]);
      assert.match(got[1] ?? '', /^What follows is material from outside[^]*\nthe page\n/);
      const { peer } = session;
      const at = (matches: (message: JsonObject, update: JsonObject) => boolean): number =>
        peer.messages.findIndex((message) =>
          matches(message, asObject(asObject(message['params'])['update'])),
        );
      const order = [
        at((_, update) => update['toolCallId'] === 'tool-call-1' && update['status'] === 'completed'),
        at((_, update) => update['toolCallId'] === 'tool-call-2'),
        at(({ method }) => method === ASK),
        at((_, update) => update['toolCallId'] === 'tool-call-2' && update['status'] === 'completed'),
        at((_, update) => update['toolCallId'] === 'tool-call-3'),
      ];
      assert.ok(
        order.every((place, index) => place > (order[index - 1] ?? -1)),
        order.join(),
      );
    } finally {
      pages.close();
    }
  });

  it('SE-24 works in all folders of the session, and in no other', async () => {
    const cwd = makeWorkspace({ 'a.txt': 'one\n' });
    const other = makeWorkspace({ 'b.txt': 'two\n' });
    const outside = makeWorkspace({ 'c.txt': 'three\n' });
    const peer = await Peer.start({ serve: { [ASK]: allow } });
    await peer.initialize();
    const { sessionId } = await peer.request('session/new', {
      cwd,
      mcpServers: [],
      additionalDirectories: [other],
    });
    await peer.prompt(String(sessionId), `replace "two" with "2" in ${join(other, 'b.txt')}`);
    assert.equal(readFileSync(join(other, 'b.txt'), 'utf8'), '2\n');
    await peer.prompt(String(sessionId), `read ${join(outside, 'c.txt')}`);
    const [end] = peer.updates('tool_call_update').filter(({ status }) => status === 'failed');
    assert.match(JSON.stringify(asList(end?.['content'])), /outside of the session's folders/);
    await peer.end();
  });
});
