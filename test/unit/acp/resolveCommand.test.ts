import assert from 'node:assert/strict';
import { resolveCommand, type CommandLine, type Found } from '../../../src/acp/resolveCommand';

/** Files by their paths; those without a kind are programs. */
function on(windows: boolean, ...paths: (string | [path: string, kind: Found])[]) {
  const kinds = new Map<string, Found>(
    paths.map((path) => (typeof path === 'string' ? [path, 'program'] : path)),
  );
  const asked: string[] = [];
  const look = (path: string): Promise<Found> => {
    asked.push(path);
    return Promise.resolve(kinds.get(path) ?? 'nothing');
  };
  return { files: { windows, look }, asked };
}

const POSIX: CommandLine = {
  command: 'agent',
  args: ['--acp', 'a b'],
  env: { PATH: '/opt/bin:/usr/bin' },
  cwd: '/proj',
  shell: false,
};

const WINDOWS: CommandLine = {
  ...POSIX,
  env: { Path: 'C:\\npm;C:\\Windows', PATHEXT: '.COM;.EXE;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' },
  cwd: 'C:\\proj',
};

const IN_NO_FOLDER = { NoDefaultCurrentDirectoryInExePath: '1' };

describe('the program of an agent', () => {
  it('TR-1 is the first on the PATH that the agent gets', async () => {
    const { files } = on(false, ['/opt/bin/agent', 'file'], '/usr/bin/agent');
    const { env, args } = POSIX;
    assert.deepEqual(await resolveCommand(POSIX, files), { file: '/usr/bin/agent', args, env });
  });

  it('is never taken from the working folder by its bare name', async () => {
    const { files } = on(false, '/proj/agent', 'agent', './agent', 'bin/agent', '/proj/bin/agent');
    const line = { ...POSIX, env: { PATH: ':.:bin::' } };
    assert.deepEqual(await resolveCommand(line, files), { reason: 'commandNotFound', command: 'agent' });
    const windows = on(
      true,
      'C:\\proj\\agent.exe',
      'agent.exe',
      '.\\agent.exe',
      'C:agent.exe',
      '\\agent.exe',
    );
    const there = { ...WINDOWS, env: { Path: ';.;C:;\\' } };
    assert.deepEqual(await resolveCommand(there, windows.files), {
      reason: 'commandNotFound',
      command: 'agent',
    });
  });

  it('is one of the working folder where the settings give it as a path', async () => {
    const { files } = on(false, '/proj/./agent');
    const found = await resolveCommand({ ...POSIX, command: './agent' }, files);
    assert.ok('file' in found && found.file === '/proj/./agent');
  });

  it('is looked for where systems look without a PATH', async () => {
    const { files, asked } = on(false);
    await resolveCommand({ ...POSIX, env: {} }, files);
    assert.deepEqual(asked, ['/usr/bin/agent', '/bin/agent']);
  });

  it('that is missing is told with the origin of the PATH', async () => {
    const origin = { source: 'shell', shell: '/bin/zsh', ms: 5 } as const;
    assert.deepEqual(await resolveCommand({ ...POSIX, origin }, on(false).files), {
      reason: 'commandNotFound',
      command: 'agent',
      origin,
    });
  });

  it('that may not be run is not said to be missing', async () => {
    const { files } = on(false, ['/opt/bin/agent', 'file']);
    const notExecutable = { reason: 'notExecutable', command: 'agent' };
    assert.deepEqual(await resolveCommand(POSIX, files), notExecutable);
    const script = on(true, ['C:\\x\\agent.py', 'file']);
    const command = 'C:\\x\\agent.py';
    assert.deepEqual(await resolveCommand({ ...WINDOWS, command }, script.files), {
      reason: 'notExecutable',
      command,
    });
  });

  it('has the endings of PATHEXT on Windows, folder by folder', async () => {
    const { files, asked } = on(true, ['C:\\npm\\agent', 'program'], 'C:\\Windows\\agent.exe');
    const { env, args } = WINDOWS;
    assert.deepEqual(await resolveCommand(WINDOWS, files), { file: 'C:\\Windows\\agent.exe', args, env });
    assert.deepEqual(asked.slice(0, 3), ['C:\\npm\\agent.com', 'C:\\npm\\agent.exe', 'C:\\npm\\agent.cmd']);
  });

  it('is run by cmd where it is a batch file, which takes nothing from the working folder', async () => {
    const { files } = on(true, 'C:\\npm\\agent.cmd');
    assert.deepEqual(await resolveCommand(WINDOWS, files), {
      file: 'C:\\Windows\\cmd.exe',
      args: '/e:ON /v:OFF /d /s /c ""C:\\npm\\agent.cmd" --acp "a b""',
      env: { ...WINDOWS.env, ...IN_NO_FOLDER },
    });
  });

  it('is not run with an argument that cmd would act on; another program gets it as it is', async () => {
    const line = { ...WINDOWS, args: ['--acp', 'a&calc'] };
    assert.deepEqual(await resolveCommand(line, on(true, 'C:\\npm\\agent.cmd').files), {
      reason: 'unsafeArgument',
      command: 'C:\\npm\\agent.cmd',
      argument: 'a&calc',
    });
    const found = await resolveCommand(line, on(true, 'C:\\npm\\agent.exe').files);
    assert.ok('file' in found);
    assert.deepEqual(found.args, line.args);
  });

  it('is the shell where the settings say so', async () => {
    const line = { ...POSIX, command: 'A=1 agent', shell: true };
    const { env } = POSIX;
    assert.deepEqual(await resolveCommand(line, on(false).files), {
      file: '/bin/sh',
      args: ['-c', 'A=1 agent --acp a b'],
      env,
    });
    assert.deepEqual(await resolveCommand({ ...WINDOWS, shell: true }, on(true).files), {
      file: 'C:\\Windows\\cmd.exe',
      args: '/d /s /c "agent --acp a b"',
      env: { ...WINDOWS.env, ...IN_NO_FOLDER },
    });
  });
});
