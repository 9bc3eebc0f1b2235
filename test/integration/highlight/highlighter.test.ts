import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { grammars } from '../../../src/core/highlight/languages';
import type { HighlightAnswer, LineRuns } from '../../../src/core/highlight/messages';
import { Highlighter, type HighlighterOptions } from '../../../src/host/highlight/highlighter';
import type { ThemeSource } from '../../../src/host/highlight/workerMessages';
import { until } from '../../vscode/until';

const root = join(import.meta.dirname, '..', '..', '..');
const CODE = readFileSync(join(root, 'src/core/highlight/applyCode.ts'), 'utf8').trimEnd().split('\n');

type Tokens = Extract<HighlightAnswer, { type: 'tokens' }>;

/** Each run of a line with its text and colour. */
function runsOf({ lines, colors }: Tokens, texts: readonly string[]): [string, string | undefined][][] {
  return lines.map((runs: LineRuns, line) => {
    let at = 0;
    const found: [string, string | undefined][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const length = runs[i] ?? 0;
      found.push([texts[line]?.slice(at, at + length) ?? '', colors[runs[i + 1] ?? -1]]);
      at += length;
    }
    return found;
  });
}

describe('colouring code in a thread', function () {
  this.timeout(60_000);
  let highlighter: Highlighter;
  let theme: ThemeSource;
  let log: string[];
  let folder: string;
  let alive: NodeJS.Timeout;

  const start = (options: Partial<HighlighterOptions> = {}): Highlighter => {
    highlighter = new Highlighter({
      file: join(root, 'dist', 'highlighter.js'),
      theme: () => theme,
      linger: 60_000,
      limit: 50_000,
      log: (line) => log.push(line),
      ...options,
    });
    return highlighter;
  };
  const ask = (block: number, from: number, texts: readonly string[], grammar = 'typescript') =>
    highlighter.highlight(1, { type: 'highlight', block, from, grammar, text: texts.join('\n') });
  const tokens = async (...args: Parameters<typeof ask>): Promise<Tokens> => {
    const answer = await ask(...args);
    assert.ok(answer.type === 'tokens', `${JSON.stringify(answer)} ${log.join(' ')}`);
    return answer;
  };
  const colored = async (texts: readonly string[], grammar?: string) =>
    runsOf(await tokens(1, 0, texts, grammar), texts).flat();

  before(() => {
    // The thread alone does not keep the process.
    alive = setInterval(() => undefined, 1_000);
  });
  after(() => clearInterval(alive));
  beforeEach(() => {
    theme = { kind: 'dark', name: '' };
    log = [];
    folder = mkdtempSync(join(tmpdir(), 'parley-theme-'));
    start();
  });
  afterEach(() => {
    highlighter.dispose();
    rmSync(folder, { recursive: true });
  });

  it('gives the colours of the default theme, by runs', async () => {
    const runs = await colored(['const a = 1; // note']);
    assert.deepEqual(runs.at(0), ['const', '#569CD6']);
    assert.deepEqual(runs.at(-1), ['// note', '#6A9955']);
    assert.ok(runs.some(([text, color]) => text === '1' && color === '#B5CEA8'));
  });

  it('gives for lines that come bit by bit what it gives for all at once', async () => {
    const whole = runsOf(await tokens(1, 0, CODE), CODE);
    let block = 2;
    const cuts = fc.array(fc.integer({ min: 1, max: CODE.length - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (list) => {
        const ends = [...new Set(list), CODE.length].sort((a, b) => a - b);
        block++;
        let from = 0;
        for (const end of ends) {
          const part = CODE.slice(from, end);
          assert.deepEqual(runsOf(await tokens(block, from, part), part), whole.slice(from, end));
          from = end;
        }
      }),
      { numRuns: 15 },
    );
  });

  it('asks for the beginning of a block that it has forgotten, and of one that has a gap', async () => {
    await tokens(1, 0, ['/* a', 'b']);
    const forgotten = { type: 'noTokens', block: 1, why: 'forgotten' };
    assert.deepEqual(await ask(1, 3, ['c']), forgotten);
    assert.deepEqual(await ask(1, 2, ['c']), forgotten, 'it did not go on after the gap');
    await tokens(1, 0, ['/* a']);
    for (let block = 2; block < 70; block++) await tokens(block, 0, ['x']);
    assert.deepEqual(await ask(1, 1, ['c']), forgotten);
    assert.equal((await ask(69, 1, ['c'])).type, 'tokens');
  });

  it('keeps the blocks of two pages apart', async () => {
    await tokens(1, 0, ['/* a']);
    const request = { type: 'highlight', block: 1, from: 0, grammar: 'typescript', text: 'b' } as const;
    await highlighter.highlight(2, request);
    assert.deepEqual(runsOf(await tokens(1, 1, ['c']), ['c']), [[['c', '#6A9955']]]);
  });

  it('has every grammar that it names, with those that they embed', async () => {
    for (const grammar of grammars) assert.equal((await ask(1, 0, ['x'], grammar)).type, 'tokens', grammar);
    const html = await colored(['<p>x</p><script>const a</script>'], 'html');
    assert.ok(html.some(([text, color]) => text === 'const' && color === '#569CD6'));
    assert.deepEqual(log, []);
  });

  it('leaves code plain that has no grammar', async () => {
    assert.deepEqual(await ask(1, 0, ['x'], 'nonsense'), { type: 'noTokens', block: 1, why: 'plain' });
  });

  it('leaves a line plain that is very long, and goes on behind it', async () => {
    const { lines } = await tokens(1, 0, ['x'.repeat(6_000), 'const a']);
    assert.deepEqual(lines[0], []);
    assert.notDeepEqual(lines[1], []);
  });

  it('takes a theme from its file with what it includes, and what the settings change', async () => {
    const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
    write(
      'base.json',
      '{ "tokenColors": [{ "scope": "comment", "settings": { "foreground": "#111111" } }] }',
    );
    write(
      'tokens.tmTheme',
      `<?xml version="1.0"?><plist><dict><key>settings</key><array><dict>
      <key>scope</key><string>storage.type</string><key>settings</key><dict><key>foreground</key>
      <string>#222222</string></dict></dict></array></dict></plist>`,
    );
    write('theme.json', '{ /* mine */ "include": "./base.json", "tokenColors": "./tokens.tmTheme", }');
    theme = {
      kind: 'light',
      name: 'Mine',
      file: join(folder, 'theme.json'),
      customizations: { '[Mine]': { numbers: '#343434' }, '[Other]': { comments: '#444444' } },
    };
    assert.deepEqual(await colored(['const a = 1 // a']), [
      ['const', '#222222'],
      [' a = ', undefined],
      ['1', '#343434'],
      [' ', undefined],
      ['// a', '#111111'],
    ]);
  });

  it('finds a theme of the editor whose extension runs elsewhere', async () => {
    mkdirSync(join(folder, 'theme-mine'));
    const write = (name: string, content: object) =>
      writeFileSync(join(folder, 'theme-mine', name), JSON.stringify(content));
    const themes = [{ id: 'Mine', uiTheme: 'vs-dark', path: './mine.json' }];
    write('package.json', { contributes: { themes } });
    write('mine.json', { tokenColors: [{ scope: 'storage.type', settings: { foreground: '#121212' } }] });
    theme = { kind: 'dark', name: 'Mine', builtIn: folder };
    assert.deepEqual((await colored(['const']))[0], ['const', '#121212']);
    theme = { kind: 'dark', name: 'Other', builtIn: folder };
    highlighter.themeChanged();
    assert.deepEqual((await colored(['const']))[0], ['const', '#569CD6']);
  });

  it('takes the default theme of the kind where the theme can not be read', async () => {
    for (const [kind, color] of [
      ['light', '#0000FF'],
      ['dark', '#569CD6'],
    ] as const) {
      theme = { kind, name: 'Gone', file: join(folder, 'gone.json') };
      highlighter.themeChanged();
      assert.deepEqual((await colored(['const']))[0], ['const', color]);
    }
    const seen = new Set<string | undefined>();
    for (const kind of ['hcDark', 'hcLight'] as const) {
      theme = { kind, name: '' };
      highlighter.themeChanged();
      seen.add((await colored(['const']))[0]?.[1]);
    }
    assert.equal(seen.size, 2);
    assert.ok(!seen.has(undefined));
  });

  it('tells when the theme changes, and begins blocks anew with its colours', async () => {
    let changes = 0;
    highlighter.onDidChangeTheme(() => changes++);
    await tokens(1, 0, ['const']);
    theme = { kind: 'light', name: '' };
    highlighter.themeChanged();
    assert.equal(changes, 1);
    assert.equal((await ask(1, 1, ['const'])).type, 'noTokens');
    assert.deepEqual((await colored(['const']))[0], ['const', '#0000FF']);
  });

  it('starts no thread before the first question, ends it when none come, and starts another one', async () => {
    start({ linger: 1 });
    assert.equal(highlighter.isRunning, false);
    await tokens(1, 0, ['const']);
    await until('the end of the thread', () => Promise.resolve(!highlighter.isRunning || undefined), 10_000);
    await tokens(1, 0, ['const']);
    assert.deepEqual(log, []);
  });

  it('answers every open question when the thread is lost or takes too long', async () => {
    start({ file: join(folder, 'gone.js') });
    assert.deepEqual(await ask(1, 0, ['x']), { type: 'noTokens', block: 1, why: 'plain' });
    start({ limit: 1 });
    assert.deepEqual(await Promise.all([ask(1, 0, ['x']), ask(2, 0, ['x'])]), [
      { type: 'noTokens', block: 1, why: 'plain' },
      { type: 'noTokens', block: 2, why: 'plain' },
    ]);
    assert.equal(log.length, 2);
    assert.equal(highlighter.isRunning, false);
  });
});
