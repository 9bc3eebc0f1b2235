import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agentFile } from '../support/fakeAgents';
import { useChat } from './support/chatDriver';

/** As the installers of version managers write it: only an interactive shell reads it. */
const RC = `
case $- in *i*) ;; *) return ;; esac
echo "welcome back"
export NVM_DIR="$HOME/.nvm"
[ -d "$NVM_DIR/versions/node" ] && PATH="$NVM_DIR/versions/node/v24.1.0/bin:$PATH"
`;

/** A program of the folder that runs `text`. */
function put(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}

// Windows has one PATH for the terminal and for the editor.
if (process.platform !== 'win32')
  describe('a machine whose agent only the start-up file of an interactive shell leads to', function () {
    this.timeout(120_000);
    let home = '';
    const chat = useChat(() => {
      home = mkdtempSync(join(tmpdir(), 'parley-home-'));
      const bin = join(home, '.nvm', 'versions', 'node', 'v24.1.0', 'bin');
      mkdirSync(bin, { recursive: true });
      // The agent runs on a program that lies beside it and nowhere else.
      put(bin, 'parley-test-node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
      put(
        bin,
        'gemini',
        `#!/usr/bin/env parley-test-node\nimport('${pathToFileURL(agentFile('echo')).href}');\n`,
      );
      const zsh = ['/bin/zsh', '/usr/bin/zsh'].find(existsSync);
      writeFileSync(join(home, zsh ? '.zshrc' : '.bashrc'), RC);
      return { env: { HOME: home, SHELL: zsh ?? '/bin/bash' }, files: { 'README.md': '# Shop\n' } };
    });
    afterEach(() => rmSync(home, { recursive: true, force: true }));

    it('offers it, and Use starts it with the environment of that shell', async () => {
      const found = chat().frame.locator('[data-found-agent="gemini"]');
      await found.getByText('--acp').waitFor();
      await found.getByRole('button', { name: 'Use Gemini CLI' }).click();
      await chat().frame.locator('[data-parley="agent"]', { hasText: 'Echo' }).waitFor();
      await chat().waitConnection('ready');
      assert.equal(await chat().prompt('hello there'), 'end_turn');
      assert.match(await chat().said(), /hello there/);
    });
  });
