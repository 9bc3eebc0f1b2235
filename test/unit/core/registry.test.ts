import assert from 'node:assert/strict';
import { parseAgents } from '../../../src/core/agents/definition';
import { archiveFormat, chooseDistribution, platformKey } from '../../../src/core/agents/registryChoice';
import { isFetchable, parseRegistry, type RegistryAgent } from '../../../src/core/agents/registryDocument';
import {
  parseInstalled,
  withInstalled,
  type InstalledAgent,
} from '../../../src/core/agents/registryInstalls';
import { compareVersions } from '../../../src/core/agents/registryVersions';

const npx = { package: 'tiny-agent@1.2.3', args: ['--acp'] };
const target = { archive: 'https://example.com/tiny.tar.gz', cmd: './tiny', args: ['acp'] };
const tiny = {
  id: 'tiny',
  name: 'Tiny',
  version: '1.2.3',
  description: 'Says little.',
  license: 'MIT',
  distribution: { npx },
};

const read = (...agents: unknown[]) => parseRegistry({ version: '1.0.0', agents });
const readOne = (more: object): RegistryAgent | undefined => read({ ...tiny, ...more })?.agents[0];
const binary = (more: object) =>
  readOne({ distribution: { binary: { 'linux-x86_64': { ...target, ...more } } } })?.binary['linux-x86_64'];

describe('the registry of agents', () => {
  it('is read with all that is known of an agent, and with fields that are not', () => {
    const document = read({ ...tiny, authors: ['A'], icon: 'x', later: { field: 1 } });
    assert.equal(document?.leftOut, 0);
    const [agent] = document.agents;
    assert.deepEqual(agent, {
      id: 'tiny',
      name: 'Tiny',
      version: '1.2.3',
      description: 'Says little.',
      license: 'MIT',
      binary: {},
      npx: { package: 'tiny-agent@1.2.3', args: ['--acp'], env: {} },
    });
  });

  it('leaves out what is wrong, counts it, and keeps the others', () => {
    const wrong = [
      null,
      'tiny',
      {},
      { ...tiny, id: '../evil' },
      { ...tiny, id: 'Tiny' },
      { ...tiny, id: 'con' },
      { ...tiny, name: '' },
      { ...tiny, name: 'two\nlines' },
      { ...tiny, version: '..' },
      { ...tiny, version: '1.2.3/../..' },
      { ...tiny, version: '1.2.3.' },
      { ...tiny, distribution: {} },
      { ...tiny, distribution: null },
      { ...tiny, distribution: { npx: { package: 'tiny-agent' } } },
    ];
    const document = read(...wrong, tiny, tiny);
    assert.deepEqual(
      document?.agents.map(({ id }) => id),
      ['tiny'],
    );
    assert.equal(document.leftOut, wrong.length + 1);
  });

  it('is none where it has no list', () => {
    for (const value of [null, [], 'x', { agents: {} }, {}]) assert.equal(parseRegistry(value), undefined);
  });

  it('takes a package only where it is pinned and holds nothing that a shell or a tool would act on', () => {
    const npxOf = (name: unknown) => readOne({ distribution: { npx: { package: name } } })?.npx?.package;
    for (const good of ['a@1.0.0', '@scope/agent@0.1.2-beta.3', 'Agent_x@10.20.30+build'])
      assert.equal(npxOf(good), good);
    for (const bad of [
      'a',
      'a@latest',
      'a@^1.0.0',
      'a@1',
      'a@1.0.0 && b',
      'a@1.0.0;b',
      '--prefix=/@1.0.0',
      'git+https://x/y@1.0.0',
      '../a@1.0.0',
      '@a@1.0.0',
      'a@1.0.0\n',
      7,
    ])
      assert.equal(npxOf(bad), undefined, String(bad));
    const uvxOf = (name: string) => readOne({ distribution: { uvx: { package: name } } })?.uvx?.package;
    for (const good of ['fast-agent==0.10.1', 'fast-agent@0.10.1', 'agent[acp]==2.0rc1'])
      assert.equal(uvxOf(good), good);
    for (const bad of ['agent', 'agent>=1', 'agent==*', '-r x==1', 'agent==1 --index x', 'a @ file:///x'])
      assert.equal(uvxOf(bad), undefined, bad);
    const cmdOf = (cmd: unknown) => readOne({ distribution: { npx: { ...npx, cmd } } })?.npx;
    assert.equal(cmdOf('tiny-acp')?.cmd, 'tiny-acp');
    for (const bad of ['../x', 'a b', '-x', '', 3]) assert.equal(cmdOf(bad), undefined, String(bad));
  });

  it('takes a program only inside of its archive', () => {
    assert.equal(binary({ cmd: './tiny' })?.cmd, 'tiny');
    assert.equal(binary({ cmd: './dist\\tiny.cmd' })?.cmd, 'dist/tiny.cmd');
    assert.equal(binary({ cmd: 'My Agent (x64)/tiny' })?.cmd, 'My Agent (x64)/tiny');
    for (const cmd of [
      '',
      '.',
      '..',
      '../tiny',
      'a/../../b',
      '/bin/sh',
      'C:\\x.exe',
      'a//b',
      'a;b',
      '$HOME/x',
      'a\0',
      'x.',
    ])
      assert.equal(binary({ cmd }), undefined, cmd);
  });

  it('takes an archive only from https or from this machine, and a hash only where it is one', () => {
    for (const good of [
      'https://a.b/c.zip',
      'http://localhost:8/c.zip',
      'http://127.0.0.1/c.zip',
      'http://[::1]:1/c.zip',
    ])
      assert.equal(isFetchable(good), true, good);
    for (const bad of [
      'http://a.b/c.zip',
      'http://localhost.evil/c.zip',
      'http://127.0.0.1.evil/c.zip',
      'https://user@a.b/c.zip',
      'file:///c.zip',
      'ftp://a/c.zip',
      'https://a b/c.zip',
      'javascript:x',
    ])
      assert.equal(isFetchable(bad), false, bad);
    assert.equal(binary({ archive: 'http://a.b/c.zip' }), undefined);
    assert.equal(binary({ sha256: 'AB'.repeat(32) })?.sha256, 'ab'.repeat(32));
    for (const sha256 of ['', 'ab', 'z'.repeat(64), 5]) assert.equal(binary({ sha256 }), undefined);
  });

  it('takes arguments and variables only as lists of plain texts', () => {
    for (const args of ['x', [1], ['a\nb'], Array.from({ length: 101 }, () => 'x')])
      assert.equal(binary({ args }), undefined);
    for (const env of [{ 'A=B': 'x' }, { A: 1 }, { A: 'x\0' }]) assert.equal(binary({ env }), undefined);
    assert.deepEqual(binary({ env: { A_1: 'x' } })?.env, { A_1: 'x' });
  });

  it('prefers a program of the platform to npm, and that to PyPI', () => {
    const uvx = { package: 'tiny==1.2.3' };
    const distribution = { binary: { 'linux-x86_64': target }, npx, uvx };
    const choose = (part: object, platform: string | undefined) => {
      const agent = readOne({ distribution: part });
      return agent && chooseDistribution(agent, platform)?.kind;
    };
    assert.equal(choose(distribution, 'linux-x86_64'), 'binary');
    assert.equal(choose(distribution, 'darwin-aarch64'), 'npx');
    assert.equal(choose(distribution, undefined), 'npx');
    assert.equal(choose({ uvx, binary: distribution.binary }, 'darwin-aarch64'), 'uvx');
    assert.equal(choose({ binary: distribution.binary }, 'windows-x86_64'), undefined);
    const dmg = { ...target, archive: 'https://a.b/tiny.dmg' };
    assert.equal(choose({ binary: { 'linux-x86_64': dmg }, npx }, 'linux-x86_64'), 'npx');
    assert.deepEqual(
      [platformKey('win32', 'x64'), platformKey('darwin', 'arm64'), platformKey('linux', 'ia32')],
      ['windows-x86_64', 'darwin-aarch64', undefined],
    );
  });

  it('knows an archive by the end of its address', () => {
    assert.deepEqual(
      [
        'a.zip',
        'a.tar.gz?x=1',
        'a.TGZ',
        'a.tar.bz2',
        'a.tbz2#y',
        'a.tar',
        'a',
        'a.exe',
        'a.tar.xz',
        'a.deb',
        'a.gz',
      ].map((name) => archiveFormat(`https://x.y/v1.2/${name}`)),
      ['zip', 'tar.gz', 'tar.gz', 'tar.bz2', 'tar.bz2', 'tar', 'raw', 'raw', undefined, undefined, undefined],
    );
  });

  it('orders versions', () => {
    const ordered = [
      '0.9.9',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-rc.2',
      '1.0.0-rc.10',
      '1.0.0',
    ];
    ordered.push('1.0.1', '1.2.0', '1.10.0', '2026.1.2');
    assert.deepEqual([...ordered].reverse().sort(compareVersions), ordered);
    assert.equal(compareVersions('1.0.0+a', '1.0.0+b'), 0);
  });
});

describe('installed agents', () => {
  const current = {
    version: '1.0.0',
    kind: 'binary' as const,
    command: '/x/tiny',
    args: ['acp'],
    env: { A: 'b' },
  };
  const agent: InstalledAgent = { id: 'tiny', name: 'Tiny', current, proven: true };

  it('are agents like those of the settings, which win where the names are the same', () => {
    const { agents: rows } = parseAgents({ Mine: { command: 'mine' } });
    const [, own] = withInstalled(rows, [agent]);
    assert.deepEqual([own?.id, own?.command, own?.args, own?.env], ['Tiny', '/x/tiny', ['acp'], { A: 'b' }]);
    const { agents: same } = parseAgents({ Tiny: { command: 'mine' } });
    assert.deepEqual(withInstalled(same, [agent]), same);
    assert.deepEqual(withInstalled([], [{ ...agent, name: 'Built-in' }]), []);
  });

  it('are read as far as they are whole', () => {
    assert.deepEqual(
      parseInstalled([agent, null, {}, { ...agent, current: 'x' }, { ...agent, previous: 7 }]),
      [agent],
    );
    assert.deepEqual(parseInstalled('x'), []);
  });
});
