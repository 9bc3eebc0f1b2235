import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErrorCode } from '../../../src/core/acp';
import { WireError } from '../../../src/core/errors';
import { until } from '../../vscode/until';
import { BridgeHarness, isRunning } from './terminalHarness';

const fails =
  (code: number, message: RegExp = /./) =>
  (error: unknown): boolean =>
    error instanceof WireError && error.code === code && message.test(error.message);

const notFound = fails(ErrorCode.notFound);
const invalid = (message: RegExp): ((error: unknown) => boolean) => fails(ErrorCode.invalidParams, message);

/** A program that prints its pid and lives until it is killed; `deaf` ignores TERM and HUP. */
const lasting = (deaf: boolean): string =>
  `${deaf ? `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {});` : ''} setInterval(() => {}, 1e6); console.log('pid ' + process.pid);`;

for (const mode of ['pty', 'pipe'] as const) {
  describe(`TerminalBridge (${mode})`, function () {
    this.timeout(30_000);
    let harness: BridgeHarness;
    beforeEach(() => (harness = new BridgeHarness(mode)));
    afterEach(() => harness.bridge.dispose());

    /** The pids that a command printed, once there are `count`. */
    const pids = (id: string, count: number): Promise<number[]> =>
      until('the pids', () => {
        const found = [...harness.output(id).output.matchAll(/pid (\d+)\n/g)].map((match) =>
          Number(match[1]),
        );
        return found.length >= count ? found : undefined;
      });

    it('TE-2 answers before the command ends, TE-4 without an exit status', async () => {
      const id = await harness.node(lasting(false));
      const { exitStatus, truncated } = harness.output(id);
      assert.equal(exitStatus, undefined);
      assert.equal(truncated, false);
      harness.kill(id);
      await harness.wait(id);
    });

    it('PE-4 starts nothing that is refused, and asks about the program or the line as it would run', async () => {
      const asked: unknown[] = [];
      harness.gate = (key, act) => {
        asked.push([key, act]);
        return Promise.reject(new WireError(ErrorCode.internal, 'refused'));
      };
      const { cwd } = harness;
      const refused = fails(ErrorCode.internal, /refused/);
      await assert.rejects(harness.create('echo a && echo b'), refused);
      await assert.rejects(harness.create('npm', { args: ['test', 'a b'] }), refused);
      assert.deepEqual(asked, [
        ['s', { command: { line: 'echo a && echo b' }, cwd }],
        ['s', { command: { argv: ['npm', 'test', 'a b'] }, cwd }],
      ]);
      assert.deepEqual([harness.actions, harness.tabs], [[], []]);
    });

    it('TE-4 TE-5 gives output and exit status, to several waiters and afterwards', async () => {
      const id = await harness.create('echo one && echo two; exit 3');
      const answers = await Promise.all([harness.wait(id), harness.wait(id)]);
      const status = { exitCode: 3, signal: null };
      assert.deepEqual(answers, [status, status]);
      assert.deepEqual(await harness.wait(id), status);
      assert.deepEqual(harness.output(id), { output: 'one\ntwo\n', truncated: false, exitStatus: status });
    });

    it('e.21 hands every argument on unchanged, and applies environment and folder', async () => {
      const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-')));
      const args = ['a b', 'c"d', "e'f", '*', '%HOME%', '\\', '', '$HOME', '`x`'];
      const program = `console.log(JSON.stringify([process.argv.slice(1), process.env.CASE_VAR, process.cwd()]))`;
      const id = await harness.create(process.execPath, {
        args: ['-e', program, ...args],
        env: [
          { name: 'CASE_VAR', value: 'first' },
          { name: 'CASE_VAR', value: 'x y=z' },
        ],
        cwd: folder,
      });
      await harness.wait(id);
      const output = harness.output(id).output;
      assert.deepEqual(JSON.parse(output), [args, 'x y=z', folder]);
      await rm(folder, { recursive: true });
    });

    it('TE-12 starts in the folder of the session where none is given', async () => {
      const id = await harness.create('pwd -P', { cwd: null, args: [], env: null, outputByteLimit: null });
      await harness.wait(id);
      assert.equal(harness.output(id).output.trim(), await realpath(harness.cwd));
    });

    it('TE-7 keeps the tail of the output, in bytes and cut at a character', async () => {
      const id = await harness.node(`process.stdout.write('x'.repeat(50_000) + '漢字漢字')`, {
        outputByteLimit: 10,
      });
      await harness.wait(id);
      const { output, truncated } = harness.output(id);
      assert.equal(output, '字漢字');
      assert.equal(truncated, true);
    });

    it('TE-7 never cuts a character in half, at any limit from 0 to 12 bytes', async () => {
      const all = Array.from('aé漢😀\nzß€🚀x');
      for (let limit = 0; limit <= 12; limit++) {
        const id = await harness.create('printf', {
          args: ['%s', all.join('')],
          outputByteLimit: limit,
        });
        await harness.wait(id);
        const fits = all.map((_, at) => all.slice(at).join(''));
        const longest = [...fits, ''].find((text) => Buffer.byteLength(text) <= limit);
        assert.deepEqual(
          harness.output(id),
          { output: longest, truncated: true, exitStatus: { exitCode: 0, signal: null } },
          `limit ${limit}`,
        );
      }
    });

    it('TE-7 keeps 1 MiB where no limit is given', async () => {
      const id = await harness.node(`process.stdout.write('0123456789abcde\\n'.repeat(100_000))`);
      await harness.wait(id);
      const { output, truncated } = harness.output(id);
      assert.equal(Buffer.byteLength(output), 1 << 20);
      assert.equal(truncated, true);
    });

    it('TE-15 leaves escapes and carriage returns as the program wrote them', async () => {
      const written = 'a\u001b[31mred\u001b[0m\r\nb\nc\r50%\r';
      const id = await harness.node(`process.stdout.write(${JSON.stringify(written)})`);
      await harness.wait(id);
      assert.equal(harness.output(id).output, written);
    });

    it('TE-8 kill ends the command; id, output and exit stay, and it may be repeated', async () => {
      const id = await harness.node(lasting(false));
      const [pid = 0] = await pids(id, 1);
      assert.deepEqual(harness.kill(id), {});
      assert.deepEqual(await harness.wait(id), { exitCode: null, signal: 'SIGTERM' });
      assert.ok(!isRunning(pid));
      assert.deepEqual(harness.kill(id), {});
      assert.match(harness.output(id).output, /pid/);
    });

    it('TE-13 kill ends the whole tree, also what ignores TERM', async () => {
      const deaf = JSON.stringify(lasting(true));
      const program = `require('child_process').spawn(process.execPath, ['-e', ${deaf}], { stdio: 'inherit' }); ${lasting(true)}`;
      const id = await harness.create(
        `"${process.execPath}" -e '${program.replaceAll("'", `'\\''`)}'; echo not reached`,
      );
      const found = await pids(id, 2);
      harness.kill(id);
      await harness.wait(id);
      await until('the tree to end', () => !found.some(isRunning) || undefined);
      assert.doesNotMatch(harness.output(id).output, /not reached/);
    });

    it('TE-13 kill ends an orphan that ignores TERM after its shell is gone', async () => {
      const program = lasting(true).replaceAll("'", '"');
      const id = await harness.create(`"${process.execPath}" -e '${program}' & wait`);
      const [pid = 0] = await pids(id, 1);
      harness.kill(id);
      assert.deepEqual(await harness.wait(id), { exitCode: null, signal: 'SIGTERM' });
      assert.ok(isRunning(pid));
      await until('the orphan to end', () => !isRunning(pid) || undefined);
    });

    it('TE-9 release kills, answers who waits, and makes the id invalid', async () => {
      const id = await harness.node(lasting(false));
      const [pid = 0] = await pids(id, 1);
      const waiting = harness.wait(id);
      assert.deepEqual(harness.release(id), {});
      assert.deepEqual(await waiting, { exitCode: null, signal: 'SIGTERM' });
      assert.ok(!isRunning(pid));
      assert.throws(() => harness.output(id), notFound);
      assert.throws(() => harness.kill(id), notFound);
      assert.throws(() => harness.release(id), notFound);
      await assert.rejects(harness.wait(id), notFound);
      assert.equal(harness.view(id)?.released, true);
    });

    it('TE-9 release of an ended command leaves alone what it left running, the end of the session does not', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-'));
      const flag = join(folder, 'flag');
      const program = `process.on('SIGHUP', () => {}); ${lasting(false)}`.replaceAll("'", '"');
      const id = await harness.create(
        `"${process.execPath}" -e '${program}' & while [ ! -e "${flag}" ]; do sleep 0.02; done`,
      );
      const [pid = 0] = await pids(id, 1);
      await writeFile(flag, '');
      await harness.wait(id);
      await rm(folder, { recursive: true });
      harness.release(id);
      assert.ok(isRunning(pid));
      harness.bridge.releaseSession('s');
      await until('it to end', () => !isRunning(pid) || undefined);
    });

    it('TE-10 tells the card what the command prints, and its exit last', async () => {
      const id = await harness.create('printf "\\033[32mgreen\\033[0m\\n50%%\\r99%%\\n"; exit 2');
      await until('the exit', () => harness.view(id)?.exit);
      assert.deepEqual(
        harness.actions.map(({ type }) => type),
        ['terminalStarted', 'terminalScreen', 'terminalExited'],
      );
      const view = harness.view(id);
      assert.deepEqual(view?.lines, [[{ text: 'green', fg: '2' }], [{ text: '99%' }]]);
      assert.deepEqual(view.exit, { code: 2, signal: null });
      assert.equal(view.cwd, harness.cwd);
      assert.match(view.command, /^printf/);
    });

    it('releaseSession ends the commands of that session alone', async () => {
      const mine = await harness.node(lasting(false));
      const other = await harness.bridge.create({ sessionId: 'other', command: 'sleep 1000' });
      const waiting = harness.wait(mine);
      harness.bridge.releaseSession('s');
      assert.deepEqual(await waiting, { exitCode: null, signal: 'SIGTERM' });
      assert.throws(() => harness.output(mine), notFound);
      harness.bridge.output({ sessionId: 'other', ...other });
    });

    it('dispose kills everything at once', async () => {
      const id = await harness.node(lasting(true));
      const found = await pids(id, 1);
      harness.bridge.dispose();
      await until('the end', () => !found.some(isRunning) || undefined, 1_500);
      await assert.rejects(harness.create('true'), notFound);
    });
  });
}

describe('TerminalBridge', function () {
  this.timeout(30_000);
  let harness: BridgeHarness;
  beforeEach(() => (harness = new BridgeHarness()));
  afterEach(() => harness.bridge.dispose());

  it('TE-16 knows an id in its own session alone', async () => {
    const id = await harness.create('true');
    assert.throws(() => harness.bridge.output({ sessionId: 'other', terminalId: id }), notFound);
    assert.throws(() => harness.bridge.kill({ sessionId: 'other', terminalId: id }), notFound);
    assert.throws(() => harness.bridge.release({ sessionId: 'other', terminalId: id }), notFound);
    assert.throws(() => harness.output('no such id'), notFound);
    assert.throws(() => harness.bridge.output({ sessionId: 's' }), invalid(/terminalId/));
  });

  it('TE-3 gives every terminal an id of its own', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => harness.create('true')));
    assert.equal(new Set(ids).size, 10);
    await Promise.all(ids.map((id) => harness.wait(id)));
  });

  it('e.22 runs a command outside the folders of the session, and says so once', async () => {
    for (const cwd of ['/', '/', harness.cwd]) {
      const id = await harness.create('pwd', { cwd });
      await harness.wait(id);
      assert.equal(harness.output(id).output, `${cwd}\n`);
    }
    assert.deepEqual(harness.outside, ['s /']);
  });

  it('TE-2 refuses what is malformed', async () => {
    await assert.rejects(harness.create(''), invalid(/"command"/));
    await assert.rejects(harness.bridge.create({ sessionId: 's' }), invalid(/"command"/));
    await assert.rejects(harness.create('x\0y'), invalid(/"command"/));
    await assert.rejects(harness.create('ls', { args: 'x' }), invalid(/"args"/));
    await assert.rejects(harness.create('ls', { args: [1] }), invalid(/"args"/));
    await assert.rejects(harness.create('ls', { env: { A: 'b' } }), invalid(/"env"/));
    await assert.rejects(harness.create('ls', { env: [{ name: 'A=B', value: '' }] }), invalid(/"env"/));
    await assert.rejects(harness.create('ls', { env: [{ name: 'A' }] }), invalid(/"env"/));
    await assert.rejects(harness.create('ls', { cwd: 'relative' }), invalid(/"cwd"/));
    await assert.rejects(
      harness.create('ls', { cwd: join(harness.cwd, 'no-such-folder') }),
      invalid(/"cwd"/),
    );
    for (const outputByteLimit of [-1, 1.5, '5'])
      await assert.rejects(harness.create('ls', { outputByteLimit }), invalid(/"outputByteLimit"/));
    assert.equal(harness.actions.length, 0);
  });

  it('TE-2 takes the largest limit of the wire', async () => {
    await harness.wait(await harness.create('true', { outputByteLimit: 18446744073709551615 }));
  });

  it('CC-8 refuses a session that does not exist, also one that ends while the command is prepared', async () => {
    await assert.rejects(harness.bridge.create({ sessionId: 'none', command: 'true' }), notFound);
    const creating = harness.create('true');
    harness.sessions = [];
    await assert.rejects(creating, notFound);
  });

  it('answers a missing program as a shell does', async () => {
    const id = await harness.create('no-such-program', { args: ['x'] });
    assert.deepEqual(await harness.wait(id), { exitCode: 127, signal: null });
    assert.equal(harness.output(id).output, 'no-such-program: command not found\n');
    await until('the exit', () => harness.view(id)?.exit);
    const line = await harness.create('no-such-program --flag');
    assert.deepEqual(await harness.wait(line), { exitCode: 127, signal: null });
  });

  it('answers a program that can not be run as a shell does', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-'));
    const file = join(folder, 'data');
    await writeFile(file, 'x', { mode: 0o600 });
    const id = await harness.create(file, { args: ['x'] });
    assert.deepEqual(await harness.wait(id), { exitCode: 126, signal: null });
    assert.match(harness.output(id).output, /permission denied\n$/);
    await rm(folder, { recursive: true });
  });

  it('TE-15 sets what keeps pagers away, and the terminal type', async () => {
    const id = await harness.create('echo $PAGER $GIT_PAGER $TERM; test -t 0 && echo tty');
    await harness.wait(id);
    assert.equal(harness.output(id).output, 'cat cat xterm-256color\ntty\n');
  });

  it('passes on nothing of the editor', async () => {
    harness.bridge.dispose();
    harness = new BridgeHarness('pty', { ...process.env, ELECTRON_RUN_AS_NODE: '1', VSCODE_PID: '1' });
    const id = await harness.create('env');
    await harness.wait(id);
    assert.doesNotMatch(harness.output(id).output, /ELECTRON_|VSCODE_/);
  });
});
