import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, ContextKey, Setting, View } from '../../../src/host/contributions';

interface Step {
  id: string;
  title: string;
  description: string;
  media: { svg: string; altText: string };
  completionEvents: string[];
}

const root = join(import.meta.dirname, '..', '..', '..');
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));

describe('the walkthrough', () => {
  const { contributes } = readJson('package.json') as { contributes: { walkthroughs: { steps: Step[] }[] } };
  const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  const languages = ['package.nls.json', 'package.nls.zh-cn.json'].map(
    (name) => readJson(name) as Record<string, string>,
  );
  const ids = new Set<string>([Command, Setting, View, ContextKey].flatMap((group) => Object.values(group)));

  it('has a few steps, each with one button that runs a command, the same in every language', () => {
    assert.ok(steps.length >= 4 && steps.length <= 6);
    for (const { id, description } of steps) {
      const links = languages.map((texts) => {
        const text = texts[description.replaceAll('%', '')] ?? '';
        return [...text.matchAll(/^\[[^\]]+\]\(command:([\w.]+)(?:\?([^)]*))?\)$/gm)].map((match) => [
          match[1],
          match[2] === undefined ? undefined : (JSON.parse(decodeURIComponent(match[2])) as unknown),
        ]);
      });
      assert.equal(links[0]?.length, 1, id);
      assert.deepEqual(links[1], links[0], id);
      const command = String(links[0]?.[0]?.[0]);
      assert.ok(ids.has(command) || command.startsWith('workbench.'), command);
    }
  });

  it('ends each step by something that can happen', () => {
    for (const { id, completionEvents } of steps) {
      assert.ok(completionEvents.length > 0, id);
      for (const event of completionEvents) {
        const [, kind = '', what = ''] = /^(\w+):(.+)$/.exec(event) ?? [];
        assert.ok(['onCommand', 'onContext', 'onSettingChanged', 'onView'].includes(kind), event);
        assert.ok(ids.has(what) || what.startsWith('workbench.'), event);
      }
    }
  });

  it('has small pictures in the colours of the theme, which load nothing', () => {
    let size = 0;
    for (const { media } of steps) {
      const svg = readFileSync(join(root, media.svg), 'utf8');
      size += Buffer.byteLength(svg);
      assert.match(svg, /var\(--vscode-/);
      assert.doesNotMatch(svg, /<script|<image|<use|href|url\(|@import/);
      const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, colour]) => colour ?? '');
      assert.deepEqual(
        colours.filter((colour) => colour !== 'none' && !colour.startsWith('var(--vscode-')),
        [],
      );
    }
    assert.ok(size <= 60_000, `${size} bytes`);
  });
});
