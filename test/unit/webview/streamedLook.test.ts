import assert from 'node:assert/strict';
import { Window } from 'happy-dom';
import { MarkdownCommitter } from '../../../src/webview/markdown/committer';
import { createParser } from '../../../src/webview/markdown/parser';
import { TokenRenderer } from '../../../src/webview/markdown/render';
import { lookOf } from './markdownLook';

const parser = createParser();
const document = new Window().document as unknown as Document;
const labels = { copyCode: 'Copy', insertCode: 'Insert', applyCode: 'Apply', openCode: 'Open' };

/** What is on screen after each of the pieces. */
function looks(pieces: readonly string[]): string[] {
  const container = document.createElement('div');
  const committer = new MarkdownCommitter(container, parser, new TokenRenderer(document, labels));
  return pieces.map((piece) => {
    committer.append(piece);
    committer.flush();
    return lookOf(container);
  });
}

/** A piece that arrives, and what is on screen then. */
type Step = readonly [piece: string, look: string];

/** Texts that are cut where they mean something else than in the end; line ends in code are shown as ␤. */
const streams: Readonly<Record<string, readonly Step[]>> = {
  'a code block whose end has not come': [
    ['Run:\n\n``', '<p>Run:</p><p>``</p>'],
    ['`s', '<p>Run:</p><pre s></pre>'],
    ['h\nnpm ', '<p>Run:</p><pre sh>npm</pre>'],
    ['test\n``', '<p>Run:</p><pre sh>npm test␤``</pre>'],
    ['`', '<p>Run:</p><pre sh>npm test␤</pre>'],
    ['\n\nDone', '<p>Run:</p><pre sh>npm test␤</pre><p>Done</p>'],
  ],
  'half a link': [
    ['See [the', '<p>See [the</p>'],
    [' guide](https://a.exa', '<p>See [the guide](<a https://a.exa|>https://a.exa</a></p>'],
    ['mple/b) now', '<p>See <a https://a.example/b|>the guide</a> now</p>'],
  ],
  'half emphasis': [
    ['This is **ver', '<p>This is **ver</p>'],
    ['y*', '<p>This is *<em>very</em></p>'],
    ['* good', '<p>This is <strong>very</strong> good</p>'],
  ],
  'half a table': [
    ['| a | b |', '<p>| a | b |</p>'],
    ['\n|--', '<p>| a | b |\n|--</p>'],
    [
      '|--|\n| 1',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td></td></tr></tbody></table>',
    ],
    [
      ' | 2 |',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    ],
  ],
  'half a formula': [
    ['So $a', '<p>So $a</p>'],
    ['^2$ and\n\n$$\nx', '<p>So $a^2$ and</p><p>$$\nx</p>'],
    [' = 1\n- y\n$', '<p>So $a^2$ and</p><p>$$\nx = 1\n- y\n$</p>'],
    ['$\n\nEnd', '<p>So $a^2$ and</p>$$x = 1\n- y$$<p>End</p>'],
  ],
  'half a task and half a path': [
    ['- [', '<ul><li>[</li></ul>'],
    ['x] ', '<ul><li>[x]</li></ul>'],
    ['Fix src/a.t', '<ul><li>[done] Fix src/a.t</li></ul>'],
    ['s:1', '<ul><li>[done] Fix <a src/a.ts:1|>src/a.ts:1</a></li></ul>'],
    ['2\n- [ ] `b', '<ul><li>[done] Fix <a src/a.ts:12|>src/a.ts:12</a></li><li>[open] `b</li></ul>'],
  ],
  'half an item': [
    ['1. one\n2', '<ol><li>one\n2</li></ol>'],
    ['. ', '<ol><li>one</li><li></li></ol>'],
    ['two\n   ``', '<ol><li>one</li><li>two\n``</li></ol>'],
    ['`\n   x', '<ol><li>one</li><li>two<pre >x</pre></li></ol>'],
  ],
};

describe('Markdown while it streams', () => {
  for (const [name, steps] of Object.entries(streams))
    it(`shows ${name} as what is there so far`, () =>
      assert.deepEqual(
        looks(steps.map(([piece]) => piece)),
        steps.map(([, look]) => look),
      ));
});
