import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { BUILT_IN_AGENT, parseAgents } from '../../../../src/core/agents/definition';
import { AgentRegistry } from '../../../../src/host/agents/agentRegistry';

const ORIGIN = { source: 'shell', shell: '/bin/zsh', ms: 3 } as const;

function registry(rows: Record<string, object>): AgentRegistry {
  return new AgentRegistry({
    definitions: () => parseAgents(rows).agents,
    extensionPath: '/ext',
    withModel: (env) => Promise.resolve({ ...env, MODEL: 'x' }),
    environment: () => Promise.resolve({ PATH: '/shell/bin', FROM: 'shell' }),
    origin: () => ORIGIN,
    onStart: () => undefined,
  });
}

describe('how an agent is started', () => {
  it('is the environment of the shell with that of its row, in its folder', async () => {
    const plan = await registry({
      Mine: {
        command: '~/bin/agent',
        args: ['${workspaceFolder}'],
        env: { PATH: '/mine:${env:PATH}' },
        cwd: 'sub',
      },
    }).launchPlan('Mine', '/proj');
    assert.deepEqual(plan, {
      command: `${homedir()}/bin/agent`,
      args: ['/proj'],
      env: { PATH: '/mine:/shell/bin', FROM: 'shell' },
      cwd: resolve('/proj', 'sub'),
      shell: false,
      startTimeout: 60_000,
      origin: ORIGIN,
    });
  });

  it('has nothing of the editor’s process for the built-in agent but what makes its program run', async () => {
    process.env['VSCODE_PARLEY_TEST'] = '1';
    try {
      const plan = await registry({}).launchPlan(BUILT_IN_AGENT, '/proj');
      const ofEditor = Object.keys(plan?.env ?? {}).filter((name) => /^(VSCODE|ELECTRON)_/.test(name));
      assert.deepEqual(ofEditor, ['ELECTRON_RUN_AS_NODE']);
      assert.equal(plan?.env['MODEL'], 'x');
    } finally {
      delete process.env['VSCODE_PARLEY_TEST'];
    }
  });

  it('is not known for another name', async () => {
    assert.equal(await registry({}).launchPlan('Other', '/proj'), undefined);
  });
});
