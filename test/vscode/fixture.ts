import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchVSCode, type VSCodeHost } from './window';

// The built-in agent must not keep the sessions of tests among those of the person who runs them.
const agentHome = mkdtempSync(join(tmpdir(), 'parley-agent-home-'));
process.env['PARLEY_AGENT_HOME'] = agentHome;
process.on('exit', () => rmSync(agentHome, { recursive: true, force: true }));

let host: Promise<VSCodeHost> | undefined;

/** The version that this run is for: `newest` unless PARLEY_TEST_VERSION says `oldest`. */
export const testVersion = process.env['PARLEY_TEST_VERSION'] === 'oldest' ? 'oldest' : 'newest';

/** The one VS Code of this test run; it loads the package that PARLEY_TEST_EXTENSION names, else the sources. */
export function sharedVSCode(): Promise<VSCodeHost> {
  const path = process.env['PARLEY_TEST_EXTENSION'];
  const extension = path ? { kind: 'vsix' as const, path } : { kind: 'source' as const };
  return (host ??= launchVSCode({ version: testVersion, extension }));
}

// At the top of a test file this is a hook of the root suite: it runs after the last test of all files.
if (typeof after === 'function') {
  after(async function stopVSCode() {
    this.timeout(30_000);
    await (await host)?.stop();
    host = undefined;
  });
}
