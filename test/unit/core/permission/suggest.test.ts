import assert from 'node:assert/strict';
import type { PathContext, PermissionSubject } from '../../../../src/core/permission/rules';
import { ruleText } from '../../../../src/core/permission/ruleText';
import { readSubject } from '../../../../src/core/permission/subject';
import { suggestRules } from '../../../../src/core/permission/suggest';

const context: PathContext = { roots: ['/w/app'], home: '/home/u', windows: false, ignoreCase: false };

const forCommand = (line: string): string[] =>
  texts({ agent: 'A', kind: 'execute', command: { line }, paths: [] });
const forPaths = (kind: string, ...paths: string[]): string[] =>
  texts({ agent: 'A', kind, paths: paths.map((path) => ({ path, real: path })) });
const texts = (subject: PermissionSubject): string[] => suggestRules(subject, context).map(ruleText);

describe('rules that are offered', () => {
  it('PE-4 takes the words that say what a command does, and all of a risky one', () => {
    assert.deepEqual(forCommand('npm test -- --watch'), ['npm test']);
    assert.deepEqual(forCommand('npm run build --fast'), ['npm run build']);
    assert.deepEqual(forCommand('git log -5 | head'), ['git log', 'head']);
    assert.deepEqual(forCommand('cat a b && cat c'), ['cat']);
    for (const line of [
      'rm -rf x',
      'env',
      'git push',
      'npm install',
      'git submodule foreach ls',
      'yarn workspace a',
      'node a.js',
      'curl https://x.y',
      'cd src',
      'npm exec x',
      'git -C a log',
      'find . -name x',
    ])
      assert.deepEqual(forCommand(line), [`= ${line}`]);
    assert.deepEqual(forCommand(`echo 'a' && node -e 'a("b c")'`), ['echo', `= node -e 'a("b c")'`]);
    assert.deepEqual(forCommand('git stash list -p && gh pr view 1'), ['git stash list', 'gh pr view']);
  });

  it('PE-4 offers nothing for a command that is not understood', () => {
    for (const line of [
      'cat a | bash',
      'cat a | node -',
      'echo x | python3',
      'ls | xargs rm',
      'cd /tmp && npm test',
    ])
      assert.deepEqual(forCommand(line), [], line);
    for (const line of ['npm test > f', 'A=b npm test', 'if a; then b; fi', 'find . -exec sh -c "a" \\;', ''])
      assert.deepEqual(forCommand(line), [], line);
    assert.deepEqual(texts({ agent: 'A', kind: 'execute', guess: 'npm test', paths: [] }), []);
  });

  it('PE-4 offers the folder of files inside the workspace, and nothing outside', () => {
    assert.deepEqual(forPaths('edit', '/w/app/src/a/b.ts'), ['edit src/a/**']);
    assert.deepEqual(forPaths('edit', '/w/app/src/a/b.ts', '/w/app/src/c/d.ts'), ['edit src/**']);
    assert.deepEqual(forPaths('edit', '/w/app/a.ts'), ['edit a.ts']);
    assert.deepEqual(forPaths('delete', '/w/app/src/a.ts'), ['delete src/a.ts']);
    assert.deepEqual(forPaths('edit', '/w/app/[id]/(x)/{a}.ts'), ['edit [[]id[]]/(x)/**']);
    for (const paths of [
      ['/etc/passwd'],
      ['/w/app/a', '/w/app/b'],
      ['/w/app/a/b', '/x'],
      ['/w/app'],
      ['/w/app/.git/hooks/x'],
      [],
    ])
      assert.deepEqual(forPaths('edit', ...paths), [], JSON.stringify(paths));
    assert.deepEqual(forPaths('fetch', '/w/app/src/a.ts'), []);
  });

  it('PE-4 offers nothing for a file whose link leads out, or is not known', () => {
    for (const real of [{ real: '/etc/passwd' }, {}])
      assert.deepEqual(texts({ agent: 'A', kind: 'edit', paths: [{ path: '/w/app/src/a', ...real }] }), []);
  });

  it('PE-4 offers the exact name of an MCP tool', () => {
    assert.deepEqual(texts({ agent: 'A', kind: 'other', tool: 'mcp__a__b', paths: [] }), ['mcp__a__b']);
    assert.deepEqual(texts({ agent: 'A', kind: 'other', tool: 'a/b', paths: [] }), ['a/b']);
    assert.deepEqual(texts({ agent: 'A', kind: 'other', tool: 'Bash', paths: [] }), []);
    const started = performance.now();
    const tool = `mcp__${'_'.repeat(100_000)}!`;
    assert.deepEqual(texts({ agent: 'A', kind: 'other', tool, paths: [] }), []);
    assert.ok(performance.now() - started < 1_000);
  });
});

describe('what a tool call wants', () => {
  it('PE-4 finds the command under the names that agents use', () => {
    const command = (rawInput: object): unknown =>
      readSubject({ kind: 'execute', title: 'x', rawInput }).command;
    assert.deepEqual(command({ command: 'rm -rf src', description: 'd' }), { line: 'rm -rf src' });
    assert.deepEqual(command({ command: ['/bin/bash', '-lc', 'ls'] }), { argv: ['/bin/bash', '-lc', 'ls'] });
    assert.deepEqual(command({ command: 'rm x', commands: ['rm x'] }), { line: 'rm x' });
    assert.deepEqual(command({ command: 'ls', commands: ['rm x'] }), { line: 'ls\nrm x' });
    assert.deepEqual(command({ commands: ['a', 'b'] }), { line: 'a\nb' });
    assert.deepEqual(command({ command: 'npm', args: ['test'] }), { argv: ['npm', 'test'] });
    assert.deepEqual(command({ cmd: ['rm -rf src'] }), { line: 'rm -rf src' });
    assert.equal(command({ command: 5 }), undefined);
  });

  it('PE-4 PE-6 leaves out nothing of the input that changes what is run', () => {
    const command = (rawInput: object): unknown => readSubject({ kind: 'execute', rawInput }).command;
    assert.deepEqual(command({ command: ['npm', 'test'], args: ['&&', 'rm'] }), {
      argv: ['npm', 'test', '&&', 'rm'],
    });
    assert.deepEqual(command({ command: 'npm test', args: '; rm x' }), { line: 'npm test\n; rm x' });
    assert.deepEqual(command({ command: 'npm', args: ['test', 5] }), { argv: ['npm', 'test', '5'] });
    assert.deepEqual(command({ command: 'ls', cmd: 'pwd', args: ['x'] }), { line: 'ls\npwd\nx' });
    assert.deepEqual(command({ command: 'ls', commands: [{ run: 'rm' }] }), { line: 'ls\n{"run":"rm"}' });
    assert.deepEqual(command({ command: 'npm test', env: { PATH: '/tmp/a b' } }), {
      line: "PATH='/tmp/a b' npm test",
    });
    assert.deepEqual(command({ command: ['npm', 'a b'], env: ['A=b'] }), {
      line: `env='["A=b"]' npm 'a b'`,
    });
    assert.deepEqual(command({ command: 'ls', environment: 'A=b' }), { line: "environment='A=b' ls" });
    assert.deepEqual(command({ command: 'ls', args: { a: 1 } }), { line: 'ls\n{"a":1}' });
    assert.deepEqual(command({ cmd: 'npm test', shell: '/tmp/sh' }), { line: 'SHELL=/tmp/sh npm test' });
    assert.deepEqual(command({ cmd: 'npm test', shell: '/bin/bash', env: {} }), { line: 'npm test' });
  });

  it('PE-4 takes what is run as a guess where the input says it in several ways', () => {
    const unclear = (more: object) =>
      readSubject({ kind: 'execute', title: 'Tests', rawInput: { command: 'npm test', ...more } });
    assert.deepEqual(unclear({ script: 'rm x' }), {
      kind: 'execute',
      guess: 'Tests\nnpm test\nrm x',
      paths: [],
    });
    const { command, cwd } = unclear({ workdir: '/tmp', cwd: '/w/app' });
    assert.deepEqual([command, cwd], [undefined, '/w/app | /tmp']);
    assert.equal(unclear({ workdir: '/w/app', cwd: '/w/app' }).cwd, '/w/app');
    assert.equal(unclear({ cwd: ['/tmp'] }).command, undefined);
  });

  it('PE-4 takes no title for the command beside an input', () => {
    const { command, guess } = readSubject({
      kind: 'execute',
      title: '`npm test`',
      rawInput: { run: 'rm x' },
    });
    assert.deepEqual([command, guess], [undefined, '`npm test`']);
  });

  it('PE-4 takes a title for the command only in backticks, else as a guess', () => {
    assert.deepEqual(readSubject({ kind: 'execute', title: '`npm test`' }), {
      kind: 'execute',
      command: { line: 'npm test' },
      paths: [],
    });
    assert.deepEqual(readSubject({ kind: 'execute', title: 'rm -rf src' }), {
      kind: 'execute',
      guess: 'rm -rf src',
      paths: [],
    });
    assert.deepEqual(readSubject({ kind: 'edit', title: '`a.ts`' }), { kind: 'edit', paths: [] });
  });

  it('PE-4 finds every path', () => {
    const { paths, command, cwd } = readSubject({
      kind: 'edit',
      locations: [{ path: '/a' }, { line: 1 }],
      content: [{ type: 'diff', path: '/b' }, { type: 'content' }],
      rawInput: {
        command: 'create',
        file_path: '/c',
        files: [{ path: '/d' }, '/e'],
        changes: { '/f': {} },
        cwd: '/g',
      },
    });
    assert.deepEqual(paths, ['/a', '/b', '/c', '/g', '/d', '/e', '/f']);
    assert.deepEqual([command, cwd], [undefined, undefined]);
    assert.equal(readSubject({ kind: 'execute', rawInput: { command: 'a', directory: '/x' } }).cwd, '/x');
  });

  it('PE-4 takes the name of a tool from what the model does not choose', () => {
    assert.equal(readSubject({ name: 'Bash', kind: 'execute' }).tool, 'Bash');
    assert.equal(readSubject({ _meta: { toolName: 'edit' } }).tool, 'edit');
    assert.equal(readSubject({ kind: 'other', title: 'mcp__a__b' }).tool, 'mcp__a__b');
    assert.equal(readSubject({ kind: 'edit', title: 'mcp__a__b' }).tool, undefined);
    assert.equal(readSubject({ kind: 'other', title: 'Starts the plan' }).tool, undefined);
  });

  it('takes anything', () => {
    for (const value of [null, 5, [], {}, { rawInput: [], locations: 5, content: [null], kind: 7 }])
      assert.equal(readSubject(value).kind, 'other');
  });
});
