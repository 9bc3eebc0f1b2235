import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandsOf, DOCUMENTS } from '../documents/documents';

const repository = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const agents = join(repository, 'test', 'agents');

describe('the commands of the documents', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'parley-documents-'));
  /** A clone: what is run here builds the bundles, which other tests use at the same time. */
  const clone = join(folder, 'parley');
  const env: NodeJS.ProcessEnv = { ...process.env, PARLEY_AGENT_HOME: join(folder, 'home') };
  delete env['NODE_OPTIONS'];
  before(() => {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'tea.js'), 'tea');
  });
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  const node = (file: string, ...args: string[]) => {
    const running = run(process.execPath, [join(clone, file), ...args], { cwd: folder, env });
    running.child.stdin?.end();
    return running;
  };

  /** Starts an agent, and waits for its answer to `initialize`. */
  async function introduces(file: string, ...args: string[]): Promise<void> {
    const child = spawn(process.execPath, [join(clone, file), ...args], { cwd: folder, env });
    const params = { protocolVersion: 1, clientCapabilities: {} };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
    let said = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      said += String(text);
      if (said.includes('"protocolVersion":1')) break;
    }
    child.kill();
    assert.match(said, /"protocolVersion":1/);
  }

  const start = async (...args: string[]): Promise<void> => {
    const { stdout } = await run('npm', ['start', '--', '--exit', ...args], { cwd: clone, env });
    assert.match(stdout, /Parley is ready/);
  };

  async function ranSession(): Promise<string> {
    const { stdout } = await node('dist/agent.js', 'run', 'list src');
    assert.match(stdout, /tea\.js/);
    return /session (\S+)/.exec(stdout)?.[1] ?? '';
  }

  /** How each command is run here, with real names in the place of those that stand for them. */
  const ways: Record<string, () => Promise<unknown>> = {
    'git clone <this repository> parley && cd parley': async () => {
      rmSync(clone, { recursive: true, force: true });
      await run('git', ['clone', '--quiet', repository, clone]);
      symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'), 'junction');
    },
    'npm start': () => start(),
    "npm start -- --agent 'node path/to/agent.js'": () =>
      start('--agent', `node ${JSON.stringify(join(agents, 'echo.mjs'))}`),
    'node dist/agent.js': () => introduces('dist/agent.js'),
    // Nobody answers its questions here; a person who does is in the tests of the sign-in.
    'node dist/agent.js login': () =>
      assert.rejects(node('dist/agent.js', 'login'), ({ stdout }: { stdout: string }) =>
        stdout.includes('Provider [1]'),
      ),
    "node dist/agent.js run 'list src'": ranSession,
    'node dist/agent.js log SESSION': async () => {
      const { stdout } = await node('dist/agent.js', 'log', await ranSession());
      assert.match(stdout, /2 model calls, 1 tool call/);
    },
    'node test/agents/replayAgent.mjs REPORT.ndjson': () => {
      const cases = join(repository, 'test', 'fixtures', 'cases');
      const [script = ''] = readdirSync(cases).filter((name) => name.endsWith('.ndjson'));
      return introduces('test/agents/replayAgent.mjs', join(cases, script));
    },
    // The run that this test is a part of.
    'npm test': () => Promise.resolve(),
  };

  it('are all run here', () => {
    const shown = new Set(DOCUMENTS.flatMap(commandsOf));
    assert.deepEqual([...shown].sort(), Object.keys(ways).sort());
  });

  for (const [command, way] of Object.entries(ways)) {
    if (command !== 'npm test') it(`work: ${command}`, way);
  }
});
