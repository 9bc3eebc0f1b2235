import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/permission/decide';
import type {
  Decision,
  PathContext,
  PermissionRule,
  PermissionSubject,
  RuleEffect,
} from '../../../../src/core/permission/rules';

const context: PathContext = {
  roots: ['/w/app', '/w/lib'],
  home: '/home/u',
  windows: false,
  ignoreCase: false,
};

const run = (line: string, more: Partial<PermissionSubject> = {}): PermissionSubject => ({
  agent: 'A',
  kind: 'execute',
  command: { line },
  paths: [],
  ...more,
});

const edit = (...paths: (string | { path: string; real?: string })[]): PermissionSubject => ({
  agent: 'A',
  kind: 'edit',
  paths: paths.map((path) => (typeof path === 'string' ? { path, real: path } : path)),
});

const verdict = (rules: PermissionRule[], subject: PermissionSubject, place = context): RuleEffect =>
  decided(rules, subject, place).effect;

const decided = (rules: PermissionRule[], subject: PermissionSubject, place = context): Decision =>
  decide(
    rules.map((rule) => ({ rule, scope: 'user' })),
    subject,
    place,
  );

const allow = (fields: Omit<PermissionRule, 'effect'>): PermissionRule => ({ effect: 'allow', ...fields });
const deny = (fields: Omit<PermissionRule, 'effect'>): PermissionRule => ({ effect: 'deny', ...fields });

describe('what the rules of the person decide', () => {
  it('PE-4 asks where no rule matches', () => {
    assert.deepEqual(decided([], run('ls')), { effect: 'ask', rules: [] });
    assert.deepEqual(decided([allow({ agent: 'B' })], run('ls')), { effect: 'ask', rules: [] });
  });

  it('PE-4 lets the most cautious rule win, whatever the order and scope', () => {
    const rules = [allow({}), { effect: 'ask', command: 'git push' } as const, deny({ command: 'rm' })];
    assert.equal(verdict(rules, run('ls')), 'allow');
    assert.equal(verdict(rules, run('git push')), 'ask');
    assert.equal(verdict([...rules].reverse(), run('git push && rm x')), 'deny');
  });

  it('PE-4 allows a command only by its first words, and only if every part is allowed', () => {
    const rules = [allow({ command: 'npm test' }), allow({ command: 'ls' })];
    for (const line of ['npm test', 'npm test -- --watch', 'npm test 2>&1 | ls', '/bin/bash -lc "npm test"'])
      assert.equal(verdict(rules, run(line)), 'allow', line);
    assert.equal(decided(rules, run('npm test && ls')).rules.length, 2);
    for (const line of [
      ...['npm test && rm -rf x', 'npm test; rm x', 'npm test | sh', 'npm test $(rm x)', 'npm test `rm x`'],
      ...[
        'npm testing',
        'npm',
        './npm test',
        '/tmp/npm test',
        'sudo npm test',
        'npm test > f',
        'PATH=. npm test',
      ],
      ...[
        'npm test & rm x',
        'npm test\nrm x',
        'bash -c "npm test; rm x"',
        'npm --prefix /x test',
        'NPM test',
      ],
    ])
      assert.equal(verdict(rules, run(line)), 'ask', line);
    assert.equal(verdict(rules, run('', { command: { argv: ['npm', 'test', '&&', 'rm'] } })), 'ask');
  });

  it('PE-4 asks for an option that makes a harmless program run or write something', () => {
    const rules = [allow({ command: 'find' }), allow({ command: 'git diff' }), allow({ command: 'rg' })];
    assert.equal(verdict(rules, run('find . -name x')), 'allow');
    for (const line of ['find . -delete', 'find . -exec rm {} +', 'git diff --output=x', 'rg --pre sh x'])
      assert.equal(verdict(rules, run(line)), 'ask', line);
    assert.equal(verdict([allow({ command: 'find . -delete' })], run('find . -delete')), 'allow');
  });

  it('PE-4 asks for such an option also where it is short for another, bundled, or made by the shell', () => {
    const programs = ['sort', 'make', 'tar', 'npm test', 'go test', 'git diff', 'find', 'echo', 'env'];
    const rules = programs.map((command) => allow({ command }));
    for (const line of [
      ...['sort --outp=x a', 'sort --compress-prog=./x a', 'make -sf evil.mk', 'make --fil=evil.mk'],
      ...['make CC=./x', 'tar tIf ./x a.tar', 'tar --to-comm=./x -xf a', 'npm test -C /tmp/x'],
      ...['npm test --script-sh=./x', 'go test -C /tmp/x', 'go test -o x', 'env rm x', 'env A=b npm test'],
      ...['git diff $(echo --output=x)', 'git diff "`echo --output=x`"', 'find . $X', 'find . ${X}'],
    ])
      assert.equal(verdict(rules, run(line)), 'ask', line);
    for (const line of [
      'sort -u a',
      'make -j4 all',
      'tar tf a.tar',
      "git diff -G 'x$'",
      'env',
      'npm test -- x',
    ])
      assert.equal(verdict(rules, run(line)), 'allow', line);
    assert.equal(verdict([allow({ command: 'make CC=./x' })], run('make CC=./x')), 'allow');
  });

  it('PE-4 an exact rule allows its words and no more', () => {
    const rules = [allow({ command: 'rm -rf dist', exact: true }), allow({ command: 'ls' })];
    assert.equal(verdict(rules, run('rm -rf dist && ls -l')), 'allow');
    for (const line of ['rm -rf dist ~', 'rm -rf dist *', 'rm -rf', 'ls && rm -rf dist x'])
      assert.equal(verdict(rules, run(line)), 'ask', line);
  });

  it('PE-4 allows nothing after a change to a folder that is not of the session', () => {
    const rules = [allow({ command: 'cd' }), allow({ command: 'pushd' }), allow({ command: 'npm test' })];
    for (const line of ['cd sub && npm test', 'cd /w/lib && npm test', 'cd /tmp', 'cd a; cd b; npm test'])
      assert.equal(verdict(rules, run(line)), 'allow', line);
    for (const line of [
      ...['cd /tmp && npm test', 'cd ..; npm test', 'cd sub && cd ../.. && npm test', 'cd && npm test'],
      ...[
        'cd ~ && npm test',
        'cd - && npm test',
        'cd "$X" && npm test',
        'pushd /tmp; npm test',
        'cd -P /tmp; npm test',
      ],
    ])
      assert.equal(verdict(rules, run(line)), 'ask', line);
  });

  it('PE-4 allows a command only where it runs in a folder of the session', () => {
    const rules = [allow({ command: 'npm test' })];
    for (const cwd of ['/w/app', '/w/lib/sub', 'sub'])
      assert.equal(verdict(rules, run('npm test', { cwd })), 'allow', cwd);
    for (const cwd of ['/tmp', '/w/app/../x', '../x', '/w/application', '~', '~/x', '$HOME', 'file:///tmp'])
      assert.equal(verdict(rules, run('npm test', { cwd })), 'ask', cwd);
  });

  it('PE-4 allows any command by a rule that speaks of no command, path or other kind', () => {
    for (const rule of [allow({ kind: 'execute' }), allow({ agent: 'A' }), allow({})])
      assert.equal(verdict([rule], run('rm -rf x > y')), 'allow');
    for (const rule of [allow({ path: '**' }), allow({ kind: 'execute', path: '**' })])
      assert.equal(verdict([rule], run('ls', { paths: [{ path: '/w/app/a', real: '/w/app/a' }] })), 'ask');
    assert.equal(verdict([allow({ kind: 'read' })], run('cat x; rm y', { kind: 'read' })), 'ask');
  });

  it('PE-4 never allows by a guess, and denies by one', () => {
    const guessed: PermissionSubject = { agent: 'A', kind: 'execute', guess: 'rm -rf src', paths: [] };
    assert.equal(verdict([allow({ command: 'rm -rf src' })], guessed), 'ask');
    assert.equal(verdict([deny({ command: 'rm' })], guessed), 'deny');
    assert.equal(verdict([deny({ command: 'rmdir' })], guessed), 'ask');
    const read = { ...guessed, kind: 'read' };
    assert.equal(verdict([allow({ kind: 'read' })], read), 'ask');
    assert.equal(verdict([allow({}), deny({ kind: 'execute' })], read), 'deny');
  });

  it('PE-4 denies by any part, behind wrappers, by any path of the program and with options between', () => {
    const rules = [allow({}), deny({ command: 'rm' }), deny({ command: 'git push' })];
    for (const line of [
      ...[
        'rm x',
        'ls; rm x',
        'ls $(rm x)',
        '/bin/rm x',
        'RM.exe x',
        'sudo -u root rm x',
        'env A=b rm x',
        'timeout 5 rm x',
      ],
      ...[
        'ls | xargs rm',
        'find . -exec rm {} +',
        'nohup bash -c "rm x"',
        'env -S "rm x"',
        'ssh h "rm x"',
        'if a; then rm x; fi',
      ],
      ...[
        'git push',
        'git -C sub push',
        'git -c a=b -q push origin',
        'r\\m x',
        `r''m x > f`,
        'eval "r""m x"',
      ],
    ])
      assert.equal(verdict(rules, run(line)), 'deny', line);
    for (const line of ['python3 -c "import os; os.system(\'rm x\')"', `node -e 'x("rm y")'`, 'uv run rm x'])
      assert.equal(verdict(rules, run(line)), 'deny', line);
    const long = `rm x ${'a'.repeat(20_000)}`;
    assert.equal(verdict(rules, run(long)), 'deny');
    assert.equal(verdict(rules, run('', { command: { argv: long.split(' ') } })), 'deny');
    for (const line of ['rmdir x', 'ls rm', 'git commit -m push', 'git log', 'node rm.js'])
      assert.equal(verdict(rules, run(line)), 'allow', line);
  });

  it('PE-4 denies what is run by a rule for that kind, whatever kind the agent says', () => {
    const other = run('rm x', { kind: 'other' });
    assert.equal(verdict([allow({}), deny({ kind: 'execute', command: 'rm' })], other), 'deny');
    assert.equal(verdict([allow({ kind: 'execute', command: 'rm' })], other), 'ask');
    assert.equal(verdict([allow({}), deny({ kind: 'execute' })], edit('/w/app/a')), 'allow');
  });

  it('PE-4 allows paths only if every one matches by name and with links resolved', () => {
    const rules = [allow({ kind: 'edit', path: 'src/**' })];
    assert.equal(verdict(rules, edit('/w/app/src/a.ts', '/w/lib/src/.b/c')), 'allow');
    for (const paths of [
      ['/w/app/src/a.ts', '/w/app/package.json'],
      ['/w/app/src/../package.json'],
      ['/w/other/src/a'],
      ['src/a.ts'],
      [{ path: '/w/app/src/link', real: '/etc/passwd' }],
      [{ path: '/w/app/src/a' }],
      [],
    ])
      assert.equal(verdict(rules, edit(...paths)), 'ask', JSON.stringify(paths));
    assert.equal(verdict(rules, { ...edit('/w/app/src/a'), kind: 'delete' }), 'ask');
  });

  it('PE-4 denies by any path, by either name, and below a folder that is named', () => {
    const rules = [
      allow({ kind: 'edit' }),
      deny({ path: '**/.env' }),
      deny({ path: '~/.ssh' }),
      deny({ path: 'keys/*' }),
    ];
    for (const paths of [
      ['/w/app/a', '/w/lib/x/.env'],
      [{ path: '/w/app/a', real: '/home/u/.ssh/id' }],
      ['/w/app/src/../keys/a/b'],
      ['keys/a'],
      [`/w/app/${'a'.repeat(300)}`],
    ])
      assert.equal(verdict(rules, edit(...paths)), 'deny', JSON.stringify(paths));
    assert.equal(verdict(rules, edit('/w/app/env')), 'allow');
  });

  it('takes patterns that cannot be matched as matching where they deny, and not where they allow', () => {
    for (const path of ['a'.repeat(600), '../x', '{a/b,c}', '*a*a*a*a*']) {
      assert.equal(verdict([allow({ path })], edit('/w/app/x')), 'ask', path);
      assert.equal(verdict([allow({ kind: 'edit' }), deny({ path })], edit('/w/app/x')), 'deny', path);
    }
  });

  it('matches names of tools by a glob', () => {
    const call = (tool?: string): PermissionSubject => ({
      agent: 'A',
      kind: 'other',
      paths: [],
      ...(tool ? { tool } : {}),
    });
    const rules = [
      allow({ tool: 'mcp__github__*' }),
      allow({ tool: 'fs/read*' }),
      deny({ tool: '*delete*' }),
    ];
    assert.equal(verdict(rules, call('mcp__github__list')), 'allow');
    assert.equal(verdict(rules, call('fs/read_file')), 'allow');
    assert.equal(verdict(rules, call('mcp__github__DELETE_repo')), 'deny');
    assert.equal(verdict(rules, call('mcp__gitlab__list')), 'ask');
    assert.equal(verdict(rules, call()), 'ask');
  });

  it('compares paths by the rules of Windows there', () => {
    const windows: PathContext = {
      roots: ['C:\\Work'],
      home: 'C:\\Users\\u',
      windows: true,
      ignoreCase: true,
    };
    assert.equal(verdict([allow({ path: 'src\\**' })], edit('c:\\work\\SRC\\a.ts'), windows), 'allow');
    assert.equal(verdict([allow({ path: 'src/**' })], edit('c:/work/src/../a.ts'), windows), 'ask');
    assert.equal(verdict([deny({ command: 'rm' })], run('C:\\bin\\RM.EXE x'), windows), 'deny');
  });

  it('comes to an end with hostile patterns, paths and names', () => {
    const path = `/w/app${`/${'a'.repeat(255)}`.repeat(190)}`;
    verdict([deny({ path: `${'**/*a*a*b/'.repeat(40)}**` })], edit(path));
    const tool = `${'a'.repeat(200_000)}c`;
    const call = { agent: 'A', kind: 'other', paths: [], tool };
    assert.equal(verdict([allow({ tool: '*a*a*b' })], call), 'ask');
    assert.equal(verdict([deny({ tool: '*a*a*b' })], call), 'deny');
  });
});
