import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorsOf, blocksOf, codeOf, commandsOf, DOCUMENTS } from '../../documents/documents';
import { readDocument, TABLES, withTable } from '../../documents/settingsTable';

const repository = join(import.meta.dirname, '..', '..', '..');

interface Manifest {
  scripts: Record<string, string>;
  contributes: {
    commands: { command: string; title: string }[];
    configuration: { properties: Record<string, unknown> };
  };
}
const manifest = JSON.parse(readDocument('package.json')) as Manifest;
const commands = manifest.contributes.commands;
const settings = Object.keys(manifest.contributes.configuration.properties);

const titlesIn = (file: string): Set<string> => {
  const texts = JSON.parse(readDocument(file)) as Record<string, string>;
  return new Set(commands.map(({ title }) => texts[title.replaceAll('%', '')] ?? title));
};

/** Keys of the protocol's `_meta`, and what stands for several settings. */
const OTHER_NAMES = ['parley.agentLoop', 'parley.lm', 'parley.builtin.*'];

describe('the documents', () => {
  for (const document of DOCUMENTS) {
    describe(document, () => {
      it('names only commands that there are', () => {
        const titles = titlesIn(document.includes('zh-cn') ? 'package.nls.zh-cn.json' : 'package.nls.json');
        const named = [...readDocument(document).matchAll(/[`*]Parley: ([^`*\n]+)[`*]/g)];
        assert.deepEqual(
          named.map(([, title = '']) => title).filter((title) => !titles.has(title)),
          [],
        );
      });

      it('names only settings and commands that there are', () => {
        const known = new Set([...settings, ...commands.map(({ command }) => command), ...OTHER_NAMES]);
        const named = codeOf(document).filter((code) => /^"?parley\.[\w.*]+"?$/.test(code));
        assert.deepEqual(
          named.map((name) => name.replaceAll('"', '')).filter((name) => !known.has(name)),
          [],
        );
      });

      it('links only to what is there', () => {
        const links = [...readDocument(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
        const broken = links.filter((link) => {
          if (/^https:/.test(link)) return false;
          const [path = '', anchor] = link.split('#');
          const target = path === '' ? document : join(dirname(document), path);
          if (!existsSync(join(repository, target))) return true;
          return anchor !== undefined && !anchorsOf(target).has(anchor);
        });
        assert.deepEqual(broken, []);
      });

      it('shows settings as they can be written', () => {
        for (const block of blocksOf(document, 'json')) {
          const names = Object.keys(JSON.parse(block) as object).filter((name) => name.startsWith('parley.'));
          assert.deepEqual(
            names.filter((name) => !settings.includes(name)),
            [],
          );
        }
      });

      it('names only scripts, stages and tests that there are', () => {
        const lines = [...commandsOf(document), ...codeOf(document)];
        const scripts = lines.flatMap((line) => /^npm (?:run )?([\w:-]+)/.exec(line)?.[1] ?? []);
        const own = scripts.filter((name) => name !== 'i' && name !== 'ci');
        assert.deepEqual(
          own.filter((name) => !(name in manifest.scripts)),
          [],
        );
        const files = readdirSync(join(repository, 'test'), { recursive: true, encoding: 'utf8' });
        const tests = codeOf(document).filter((code) => /^\w+\.test\.ts$/.test(code));
        assert.deepEqual(
          tests.filter((name) => !files.some((file) => file.endsWith(name))),
          [],
        );
      });
    });
  }

  for (const [document, language] of Object.entries(TABLES)) {
    it(`have the settings of the manifest in ${document}: npm run documents writes them`, () => {
      const text = readDocument(document);
      assert.equal(withTable(text, language), text);
    });
  }
});
