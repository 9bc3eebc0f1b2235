import assert from 'node:assert/strict';
import type { AgentDefinition } from '../../../src/core/agents/definition';
import { fillDefinition, type DefinitionValues } from '../../../src/core/agents/fillDefinition';

const DEFINITION: AgentDefinition = {
  id: 'Mine',
  command: 'agent',
  args: [],
  env: {},
  shell: false,
  startTimeout: 60,
};

const POSIX: DefinitionValues = {
  folder: '/proj',
  userHome: '/home/me',
  windows: false,
  env: { PATH: '/usr/bin', TOKEN: 'a${userHome}$&' },
};

const fill = (own: Partial<AgentDefinition>, values = POSIX): AgentDefinition =>
  fillDefinition({ ...DEFINITION, ...own }, values);

describe('the variables of a definition', () => {
  it('are those of the environment, the folder and the home, as elsewhere in the settings', () => {
    const filled = fill({
      command: '${userHome}/bin/agent',
      args: ['--root=${workspaceFolder}', '${env:TOKEN}', '[${env:NOT_SET}]', '${workspaceFolderBasename}'],
      cwd: '${workspaceFolder}/sub',
    });
    assert.equal(filled.command, '/home/me/bin/agent');
    assert.deepEqual(filled.args, ['--root=/proj', 'a${userHome}$&', '[]', 'proj']);
    assert.equal(filled.cwd, '/proj/sub');
    assert.equal(fill({}).cwd, undefined);
  });

  it('stay as they are written where they are not known', () => {
    const args = ['${HOME}', '${input:key}', '${env:}', '$PATH', '${workspaceFolder:other}'];
    assert.deepEqual(fill({ args }).args, args);
  });

  it('let the definition add to the PATH of the shell, and win over it', () => {
    const { env } = fill({ env: { PATH: '${userHome}/bin:${env:PATH}', TOKEN: 'mine', NEW: '1' } });
    assert.deepEqual(env, { PATH: '/home/me/bin:/usr/bin', TOKEN: 'mine', NEW: '1' });
  });

  it('know one PATH on Windows, however it is spelled', () => {
    const values = { ...POSIX, windows: true, env: { Path: 'C:\\Windows' } };
    const { env } = fill({ env: { PATH: 'C:\\bin;${env:path}' } }, values);
    assert.deepEqual(env, { PATH: 'C:\\bin;C:\\Windows' });
  });

  it('have the home for a tilde at the start of a path alone', () => {
    const { command, args, cwd } = fill({ command: '~/bin/agent', args: ['~/x'], cwd: '~' });
    assert.deepEqual([command, args, cwd], ['/home/me/bin/agent', ['~/x'], '/home/me']);
    assert.equal(fill({ command: '~other/agent' }).command, '~other/agent');
    assert.equal(fill({ command: '~/bin/agent -x', shell: true }).command, '~/bin/agent -x');
  });
});
