import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { chooseDistribution, type Distribution } from '../../../src/core/agents/registryChoice';
import { parseRegistry, type RegistryAgent } from '../../../src/core/agents/registryDocument';
import type { InstalledVersion } from '../../../src/core/agents/registryInstalls';
import { AgentStore, storeRows } from '../../../src/host/registry/agentStore';
import { extractArchive } from '../../../src/host/registry/extractArchive';
import { InstalledAgents } from '../../../src/host/registry/installedAgents';
import { InstallFailure, type FailureReason } from '../../../src/host/registry/installFailure';
import { Installer, type Phase } from '../../../src/host/registry/installer';
import { runTool } from '../../../src/host/registry/runTool';
import { sha256, tarGzOf, zipOf } from '../../support/archives';
import { RegistryServer } from '../../support/registryServer';
import { until } from '../../vscode/until';

const windows = process.platform === 'win32';
const PLATFORM = 'linux-x86_64';

describe('agents of the registry', function () {
  this.timeout(60_000);
  let server: RegistryServer;
  let root = '';
  let env: NodeJS.ProcessEnv = {};
  let printed: string[] = [];
  const phases: Phase[] = [];
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'parley-install-'));
    server = await RegistryServer.start();
    env = { ...process.env, npm_config_registry: server.address, npm_config_cache: join(root, 'npm-cache') };
    printed = [];
    phases.length = 0;
  });
  afterEach(async () => {
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const folder = (): string => join(root, 'agents');
  const installer = (): Installer =>
    new Installer({
      folder: folder(),
      environment: () => Promise.resolve(env),
      except: () => [],
      unpack: async (job) => {
        const found = await extractArchive(job).catch((error: unknown) => {
          throw new InstallFailure({ reason: 'badArchive', message: String(error) });
        });
        if (!found) throw new InstallFailure({ reason: 'noProgram', program: job.program });
      },
      onLine: (line) => printed.push(line),
    });
  const run = (signal = new AbortController().signal) => ({
    signal,
    onPhase: (phase: Phase) => void phases.push(phase),
  });
  const offered = (version: string, distribution: object): { agent: RegistryAgent; how: Distribution } => {
    const row = { id: 'tiny', name: 'Tiny', version, description: '', distribution };
    const agent = parseRegistry({ agents: [row] })?.agents[0];
    const how = agent && chooseDistribution(agent, PLATFORM);
    assert.ok(agent && how);
    return { agent, how };
  };
  const archived = (version: string, more: { sha256?: string; data?: Buffer; breakAfter?: number } = {}) => {
    const script = `console.log('tiny ${version}', ...process.argv.slice(2));\n`;
    const data =
      more.data ?? tarGzOf({ path: 'bin/tiny', text: `#!/usr/bin/env node\n${script}`, mode: 0o755 });
    const { breakAfter } = more;
    const served = { body: data, ...(breakAfter === undefined ? {} : { breakAfter }) };
    const archive = server.serve(`/tiny-${version}.tar.gz`, served);
    const target = {
      archive,
      cmd: './bin/tiny',
      args: ['acp'],
      env: { A: 'b' },
      sha256: more.sha256 ?? sha256(data),
    };
    return offered(version, { binary: { [PLATFORM]: target } });
  };
  const failing = async (work: Promise<unknown>): Promise<FailureReason> => {
    const error: unknown = await work.then(
      () => assert.fail('it worked'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof InstallFailure, String(error));
    return error.failure;
  };
  /** All that is left of an install: folders of versions, and files in the making. */
  const left = (): string[] =>
    readdirSync(folder(), { recursive: true })
      .map(String)
      .filter((name) => /^(tiny|\.staging)[\\/]/.test(name));
  const says = ({ command, args }: Pick<InstalledVersion, 'command' | 'args'>): string =>
    spawnSync(command, args, { env, encoding: 'utf8' }).stdout.trim();

  if (!windows) {
    it('are downloaded, checked, unpacked and run from a folder of their own', async () => {
      const { agent, how } = archived('1.0.0');
      const done = await installer().install(agent, how, run());
      assert.equal(says(done), 'tiny 1.0.0 acp');
      assert.deepEqual(done.env, { A: 'b' });
      assert.ok(done.command.startsWith(join(folder(), 'tiny', '1.0.0')));
      assert.equal(phases[0]?.phase, 'download');
      assert.equal(phases.at(-1)?.phase, 'unpack');
      assert.deepEqual(readdirSync(join(folder(), '.staging')), []);
      assert.equal(
        says(await installer().install(agent, how, run())),
        'tiny 1.0.0 acp',
        'again in its place',
      );
    });
  }

  it('leave nothing where the hash is wrong, the download ends early, or the archive is refused', async () => {
    const wrong = archived('1.0.0', { sha256: '0'.repeat(64) });
    assert.equal((await failing(installer().install(wrong.agent, wrong.how, run()))).reason, 'wrongHash');
    const broken = archived('1.0.0', { breakAfter: 20 });
    assert.equal((await failing(installer().install(broken.agent, broken.how, run()))).reason, 'download');
    const evil = archived('1.0.0', { data: tarGzOf({ path: '../evil', text: 'x' }) });
    assert.equal((await failing(installer().install(evil.agent, evil.how, run()))).reason, 'badArchive');
    const empty = archived('1.0.0', { data: tarGzOf({ path: 'readme', text: 'x' }) });
    assert.deepEqual(await failing(installer().install(empty.agent, empty.how, run())), {
      reason: 'noProgram',
      program: 'bin/tiny',
    });
    const zip = zipOf({ path: '../evil', text: 'x' });
    const archive = server.serve('/tiny.zip', { body: zip });
    const zipped = offered('1.0.0', { binary: { [PLATFORM]: { archive, cmd: 'tiny' } } });
    assert.equal((await failing(installer().install(zipped.agent, zipped.how, run()))).reason, 'badArchive');
    assert.deepEqual(left(), []);
    assert.equal(existsSync(join(root, 'evil')), false);
  });

  it('leave nothing where the person cancels', async () => {
    const { agent, how } = archived('1.0.0');
    const stop = new AbortController();
    const cancelled = installer().install(agent, how, {
      signal: stop.signal,
      onPhase: () => stop.abort(),
    });
    assert.equal((await failing(cancelled)).reason, 'cancelled');
    assert.deepEqual(left(), []);
  });

  /** Serves a package as a registry of npm does. */
  const publish = (version: string): void => {
    const manifest = {
      name: '@acme/tiny',
      version,
      bin: { tiny: 'bin/tiny.js', other: 'bin/other.js' },
      scripts: { postinstall: 'node bin/prepare.js' },
    };
    const tarball = tarGzOf(
      { path: 'package/package.json', text: JSON.stringify(manifest) },
      { path: 'package/bin/prepare.js', text: "require('node:fs').writeFileSync('prepared', 'yes');\n" },
      {
        path: 'package/bin/tiny.js',
        text: `#!/usr/bin/env node\nconst { readFileSync } = require('node:fs');\nconst { join } = require('node:path');\nconsole.log('npm tiny ${version}', readFileSync(join(__dirname, '../prepared'), 'utf8'), ...process.argv.slice(2));\n`,
      },
      { path: 'package/bin/other.js', text: "console.log('other', ...process.argv.slice(2));\n" },
    );
    const address = server.serve(`/tiny-${version}.tgz`, { body: tarball });
    const dist = {
      tarball: address,
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    };
    server.serve('/@acme/tiny', {
      name: '@acme/tiny',
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, hasInstallScript: true, dist } },
    });
  };

  it('are installed by npm in the version that is named, with their scripts, and run without npx', async () => {
    publish('1.0.0');
    const { agent, how } = offered('1.0.0', { npx: { package: '@acme/tiny@1.0.0', args: ['--acp'] } });
    const done = await installer().install(agent, how, run());
    assert.equal(done.command, 'node');
    assert.equal(says(done), 'npm tiny 1.0.0 yes --acp');
    assert.deepEqual(phases, [{ phase: 'package', tool: 'npm' }]);
  });

  it('say what npm says where a version is gone, and keep nothing', async () => {
    publish('2.0.0');
    const { agent, how } = offered('1.0.0', { npx: { package: '@acme/tiny@1.0.0' } });
    const failure = await failing(installer().install(agent, how, run()));
    assert.equal(failure.reason, 'toolFailed');
    assert.match(printed.join('\n'), /1\.0\.0/);
    assert.deepEqual(left(), []);
    const missing = offered('2.0.0', { npx: { package: '@acme/tiny@2.0.0', cmd: 'nothing' } });
    assert.equal((await failing(installer().install(missing.agent, missing.how, run()))).reason, 'noProgram');
    assert.deepEqual(left(), []);
  });

  it('say which tool is missing', async () => {
    env = { PATH: join(root, 'nothing') };
    const npm = offered('1.0.0', { npx: { package: 'tiny@1.0.0' } });
    assert.deepEqual(await failing(installer().install(npm.agent, npm.how, run())), {
      reason: 'toolMissing',
      tool: 'npm',
    });
    const uv = offered('1.0.0', { uvx: { package: 'tiny==1.0.0' } });
    assert.deepEqual(await failing(installer().install(uv.agent, uv.how, run())), {
      reason: 'toolMissing',
      tool: 'uv',
    });
    assert.deepEqual(left(), []);
  });

  if (!windows) {
    /** A tool of that name, first on the PATH. */
    const putTool = (name: string, script: string): void => {
      const bin = join(root, 'tools');
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
      env = { ...env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
    };

    it('are installed by uv into an environment of their own', async () => {
      putTool(
        'uv',
        'echo "$@"; mkdir -p "$UV_TOOL_BIN_DIR" && printf \'#!/bin/sh\\necho uv tiny "$@"\\n\' > "$UV_TOOL_BIN_DIR/tiny" && chmod 755 "$UV_TOOL_BIN_DIR/tiny"',
      );
      const { agent, how } = offered('1.0.0', { uvx: { package: 'tiny[acp]@1.0.0', args: ['serve'] } });
      const done = await installer().install(agent, how, run());
      assert.match(printed[0] ?? '', /^tool install .*tiny\[acp\]==1\.0\.0$/);
      assert.equal(says(done), 'uv tiny serve');
      assert.ok(dirname(done.command).startsWith(join(folder(), 'tiny', '1.0.0')));
      const missing = offered('1.1.0', { uvx: { package: 'tiny==1.1.0', cmd: 'nothing' } });
      assert.equal(
        (await failing(installer().install(missing.agent, missing.how, run()))).reason,
        'noProgram',
      );
      assert.equal(existsSync(join(folder(), 'tiny', '1.1.0')), false);
    });

    const isAlive = (pid: number): boolean => {
      try {
        process.kill(pid, 0);
        return true;
      } catch {
        return false;
      }
    };

    it('end npm and all that it started where the person cancels, or where it takes too long', async () => {
      const pids = join(root, 'pids');
      putTool('npm', `sleep 1000 & echo $! > '${pids}.part'; mv '${pids}.part' '${pids}'; wait`);
      const { agent, how } = offered('1.0.0', { npx: { package: 'tiny@1.0.0' } });
      const stop = new AbortController();
      const install = failing(installer().install(agent, how, run(stop.signal)));
      await until('npm to start', () => existsSync(pids) || undefined);
      stop.abort();
      assert.equal((await install).reason, 'cancelled');
      const pid = Number(readFileSync(pids, 'utf8'));
      await until('the end of what npm started', () => !isAlive(pid) || undefined);
      assert.deepEqual(left(), []);
      const slow = runTool({
        tool: 'npm',
        args: [],
        cwd: root,
        env,
        except: [],
        signal: new AbortController().signal,
        limit: 300,
        onLine: () => undefined,
      });
      assert.equal((await failing(slow)).reason, 'toolSlow');
    });

    it('keep the version that worked until it is no longer needed, and go back to it', async () => {
      const installed = new InstalledAgents(join(folder(), 'installed.json'));
      let changes = 0;
      installed.onDidChange(() => changes++);
      const store = new AgentStore(installer(), installed, () => ['Built-in', 'Tiny']);
      const install = async (version: string): Promise<string> => {
        const { agent, how } = archived(version);
        return store.install(agent, how, run());
      };
      const folders = (): string[] => readdirSync(join(folder(), 'tiny')).sort();
      const state = () => {
        const own = installed.find('tiny');
        return own && [own.current.version, own.previous?.version, own.proven];
      };
      assert.equal(await install('1.0.0'), 'Tiny 2', 'a name of the settings is theirs');
      assert.deepEqual(state(), ['1.0.0', undefined, false]);
      installed.started('Tiny 2');
      assert.deepEqual(state(), ['1.0.0', undefined, true]);

      const { agent } = archived('2.0.0');
      const rows = storeRows({ agents: [agent] }, installed.list(), PLATFORM);
      assert.deepEqual(
        rows.map(({ name, update }) => [name, update]),
        [['Tiny 2', true]],
      );
      await install('2.0.0');
      await install('3.0.0');
      assert.deepEqual(state(), ['3.0.0', '1.0.0', false], 'one that never started is none to go back to');
      assert.deepEqual(folders(), ['1.0.0', '3.0.0']);
      const broken = archived('4.0.0', { sha256: '0'.repeat(64) });
      await failing(store.install(broken.agent, broken.how, run()));
      assert.deepEqual(state(), ['3.0.0', '1.0.0', false]);

      const back = store.rollBack('tiny');
      await back?.tidy();
      assert.deepEqual(state(), ['1.0.0', undefined, true]);
      assert.deepEqual(folders(), ['1.0.0']);
      const now = installed.find('tiny');
      assert.ok(now);
      assert.equal(says(now.current), 'tiny 1.0.0 acp');
      assert.equal(store.rollBack('tiny'), undefined);

      await store.remove('tiny').tidy();
      assert.deepEqual(installed.list(), []);
      assert.equal(existsSync(join(folder(), 'tiny')), false);
      assert.ok(changes >= 6);
    });
  }

  it('are listed with updates first, then what is installed, then the rest', () => {
    const agents = parseRegistry({
      agents: ['zeta', 'alpha', 'beta', 'gamma'].map((id) => ({
        id,
        name: id,
        version: '1.1.0',
        distribution:
          id === 'gamma'
            ? { binary: { [PLATFORM]: { archive: 'https://a.b/c', cmd: 'c' } } }
            : { npx: { package: `${id}@1.1.0` } },
      })),
    });
    const own = (id: string, version: string) => ({
      id,
      name: id,
      current: { version, kind: 'npx' as const, command: 'node', args: [], env: {} },
      proven: true,
    });
    const rows = storeRows(
      agents ?? { agents: [] },
      [own('zeta', '1.0.0'), own('beta', '1.1.0'), own('gone', '1.0.0')],
      'darwin-aarch64',
    );
    assert.deepEqual(
      rows.map(({ id, update, offered: has, distribution }) => [
        id,
        update,
        has !== undefined,
        distribution?.kind,
      ]),
      [
        ['zeta', true, true, 'npx'],
        ['beta', false, true, 'npx'],
        ['gone', false, false, undefined],
        ['alpha', false, true, 'npx'],
        ['gamma', false, true, undefined],
      ],
    );
  });
});
