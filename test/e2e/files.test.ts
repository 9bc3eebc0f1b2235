import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { JsonObject } from '../../src/core/json';
import { until } from '../vscode/until';
import { answered, end, expectCall, Replay, request, type Step } from '../support/replayScript';
import { useChat, type ChatDriver } from './support/chatDriver';
import { openFile } from './support/workbench';

let ids = 0;
const at = (name: string): JsonObject => ({ sessionId: '$SESSION', path: `$CWD/${name}` });

/** The agent reads a file and looks at the text. */
function read(name: string, content: string): Step[] {
  const id = ++ids;
  return [
    request(id, 'fs/read_text_file', at(name)),
    answered(id, { 'result.content': content, error: { $exists: false } }),
  ];
}

/** The agent writes a file; it is refused where there is a code. */
function write(name: string, content: string, code?: number): Step[] {
  const id = ++ids;
  const check = code === undefined ? { error: { $exists: false } } : { 'error.code': code };
  return [request(id, 'fs/write_text_file', { ...at(name), content }), answered(id, check)];
}

/** The agent begins when it is asked to. */
const turn = (name: string, ...steps: Step[][]): Step[] => [
  expectCall('session/prompt', name, { timeoutMs: 100_000 }),
  ...steps.flat(),
  end(name),
];

const hex = (...parts: (string | Buffer)[]): string =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))).toString('hex');
const put = (name: string, bytes: string): Step[] => [{ file: `$CWD/${name}`, hex: bytes }];
const holds = (name: string, bytes: string): Step[] => [{ checkFile: `$CWD/${name}`, hex: bytes }];

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
/** 日本 and 見る in Shift-JIS. */
const nihon = Buffer.from('93fa967b', 'hex');
const miru = Buffer.from('8ca982e9', 'hex');

const agentOf = ({ plan }: Replay): object => ({ command: plan.command, args: plan.args });

async function waitText(editor: Locator, lines: string[]): Promise<void> {
  await until(`the editor to show ${lines.join(' | ')}`, async () => {
    const shown = await editor.locator('.view-line').allInnerTexts();
    const texts = shown.map((line) => line.replaceAll('\u00a0', ' '));
    return lines.every((line) => texts.includes(line)) || undefined;
  });
}

/** The keyboard goes to the beginning of the editor's text, or to its end. */
async function putCursor({ page }: ChatDriver, editor: Locator, key: 'Home' | 'End'): Promise<void> {
  await editor.locator('.view-lines').click();
  await page.keyboard.press(`Control+${key}`);
}

async function done(chat: ChatDriver, prompt: string, script: Replay): Promise<void> {
  const reason = await chat.prompt(prompt);
  assert.deepEqual(script.failures, []);
  assert.equal(reason, 'end_turn');
}

describe('files', function () {
  this.timeout(120_000);
  let script: Replay;

  describe('with the settings of VS Code', () => {
    const notes = 'one\ntwo\nthree\nfour\nfive\n';
    const unsaved = 'mine one\ntwo\nTHREE\nFOUR\nfive\nlater still';
    const chat = useChat(() => {
      script = new Replay(
        ...turn('a', read('notes.txt', `mine ${notes}`)),
        ...turn('b', write('notes.txt', `mine ${notes}`.replace('three', 'THREE').replace('four', 'FOUR'))),
        // Both change the first line; the person keeps theirs, and then takes the agent's.
        ...turn('f', read('both.txt', 'a\nb\nc\n')),
        ...turn('g', write('both.txt', 'agent a\nb\nC\n', -32603), holds('both.txt', hex('a\nb\nc\n'))),
        ...turn('h', write('both.txt', 'agent a\nb\nC\n'), holds('both.txt', hex('agent a\nb\nC\n'))),
        ...turn(
          'c',
          // The document is open, and its bytes are no UTF-8.
          read('open.txt', '\uFFFD\uFFFD\uFFFD{\nplain\n'),
          write('open.txt', '\uFFFD\uFFFD\uFFFD{\nsimple\n'),
          holds('open.txt', hex(nihon, '\nsimple\n')),
          write('open.txt', '日本\nsimple\n', -32602),
          holds('open.txt', hex(nihon, '\nsimple\n')),
          put('sjis.txt', hex(miru, '\r\n# old\r\n', nihon)),
          write('sjis.txt', 'changed\n# new\n\uFFFD\uFFFD\uFFFD{', -32602),
          holds('sjis.txt', hex(miru, '\r\n# old\r\n', nihon)),
          put('utf16.txt', hex(utf16('é\r\nold\r\n漢'))),
          read('utf16.txt', 'é\r\nold\r\n漢'),
          write('utf16.txt', '\uFEFFé\nnew\n漢\n'),
          holds('utf16.txt', hex(utf16('é\r\nnew\r\n漢\r\n'))),
          put('bom.txt', hex('\uFEFFé\nold\n')),
          read('bom.txt', 'é\nold\n'),
          write('bom.txt', 'é\nnew\n'),
          holds('bom.txt', hex('\uFEFFé\nnew\n')),
          put('mixed.txt', hex('one\r\ntwo\nthree\r\n')),
          read('mixed.txt', 'one\r\ntwo\nthree\r\n'),
          write('mixed.txt', 'one\nTWO\nthree\nfour\n'),
          holds('mixed.txt', hex('one\r\nTWO\nthree\r\nfour\r\n')),
          // Saved by somebody else since the agent read it, then since it wrote it, when the editor may lag behind.
          put('shared.txt', hex('1\n2\n3\n4\n')),
          read('shared.txt', '1\n2\n3\n4\n'),
          put('shared.txt', hex('saved\n2\n3\n4\n')),
          write('shared.txt', '1\n2\nagent\n4\n'),
          holds('shared.txt', hex('saved\n2\nagent\n4\n')),
          put('shared.txt', hex('saved again\n2\nagent\n4\n')),
          write('shared.txt', '1\n2\nagent\nagent\n'),
          holds('shared.txt', hex('saved again\n2\nagent\nagent\n')),
        ),
        ...turn(
          'd',
          [{ file: '$CWD/link', symlinkTo: '$OUT' }],
          [{ file: '$OUT/secret.txt', text: 'secret' }],
          write('link/secret.txt', 'mine now', -32602),
          write('link/secret.txt', 'mine now', -32602),
          [{ checkFile: '$OUT/secret.txt', text: 'secret' }],
        ),
        ...turn(
          'e',
          // Both have unsaved changes now: the one can't be saved as it is, the other not over what is on disk.
          write('open.txt', '\uFFFD\uFFFD\uFFFD{\nother\n', -32602),
          holds('open.txt', hex(nihon, '\nsimple\n')),
          read('notes.txt', unsaved),
          write('notes.txt', unsaved.replace('five', 'FIVE'), -32603),
          holds('notes.txt', hex('another program\n')),
          read('notes.txt', unsaved),
        ),
      );
      return {
        files: { 'notes.txt': notes, 'open.txt': '', 'both.txt': 'a\nb\nc\n' },
        agents: { Writer: agentOf(script) },
      };
    });

    it('FS-3 FS-9 FS-10 FS-11 unsaved text is read and merged, one undo takes the edit back, other bytes stay, links lead nowhere', async () => {
      const { page, folder } = chat();
      const file = join(folder, 'notes.txt');
      const editor = await openFile(chat(), 'notes.txt');
      await putCursor(chat(), editor, 'Home');
      await page.keyboard.type('mine ');
      await page.locator('.tab.active.dirty').waitFor();
      await done(chat(), 'read', script);
      assert.equal(readFileSync(file, 'utf8'), notes, 'nothing is saved by a read');

      await putCursor(chat(), editor, 'End');
      await page.keyboard.type('later');
      await done(chat(), 'write', script);
      assert.equal(readFileSync(file, 'utf8'), 'mine one\ntwo\nTHREE\nFOUR\nfive\nlater');
      await page.locator('.tab.active:not(.dirty)', { hasText: 'notes.txt' }).waitFor();
      await waitText(editor, ['mine one', 'THREE', 'FOUR', 'later']);
      await putCursor(chat(), editor, 'End');
      await page.keyboard.press('Control+z');
      await waitText(editor, ['mine one', 'three', 'four', 'later']);
      await page.keyboard.press('Control+Shift+z');
      await waitText(editor, ['mine one', 'THREE', 'FOUR', 'later']);

      await done(chat(), 'read what both change', script);
      const both = await openFile(chat(), 'both.txt');
      await putCursor(chat(), both, 'Home');
      await page.keyboard.type('mine ');
      await page.locator('.tab.active.dirty', { hasText: 'both.txt' }).waitFor();
      for (const choice of ['mine', 'theirs']) {
        const ends = await chat().frame.locator('[data-entry="end"]').count();
        await chat().send('write what both change');
        await chat().frame.locator('[data-permission]', { hasText: 'changed the same lines' }).waitFor();
        await chat().choose(choice);
        await chat().nextEnd(ends);
        assert.deepEqual(script.failures, []);
      }
      await waitText(both, ['agent a', 'C']);

      writeFileSync(join(folder, 'open.txt'), Buffer.concat([nihon, Buffer.from('\nplain\n')]));
      const odd = await openFile(chat(), 'open.txt');
      await done(chat(), 'bytes', script);
      await waitText(odd, ['simple']);
      await page.locator('.tab.active:not(.dirty)', { hasText: 'open.txt' }).waitFor();

      await done(chat(), 'links', script);
      const refusals = chat().frame.locator('[data-parley="transcript"]').getByText('Refused access outside');
      await refusals.first().waitFor();
      assert.equal(await refusals.count(), 1, 'one line for the same path');
      await putCursor(chat(), odd, 'End');
      await page.keyboard.type('typed');
      await openFile(chat(), 'notes.txt');
      await putCursor(chat(), editor, 'End');
      await page.keyboard.type(' still');
      await page.locator('.tab.dirty', { hasText: 'open.txt' }).waitFor();
      await page.locator('.tab.dirty', { hasText: 'notes.txt' }).waitFor();
      writeFileSync(file, 'another program\n');
      await done(chat(), 'unsaved', script);
      assert.ok(script.finished);
    });
  });

  describe('with files.encoding', () => {
    const chat = useChat(() => {
      script = new Replay(
        ...turn(
          'a',
          put('closed.txt', hex(nihon, '\r\nold\r\n')),
          read('closed.txt', '日本\r\nold\r\n'),
          write('closed.txt', '日本\n見る\n'),
          holds('closed.txt', hex(nihon, '\r\n', miru, '\r\n')),
          write('closed.txt', '日本\n😀\n', -32602),
          holds('closed.txt', hex(nihon, '\r\n', miru, '\r\n')),
          // 87 90 is read like 81 E0, so an editor would save it as that.
          put('odd.txt', hex(Buffer.from('8790', 'hex'), '\nold\n')),
          write('odd.txt', '≒\n見る\n'),
          holds('odd.txt', hex(Buffer.from('8790', 'hex'), '\n', miru, '\n')),
          write('new/made.txt', '見る\n'),
          holds('new/made.txt', hex(miru, '\n')),
          read('new/made.txt', '見る\n'),
        ),
        ...turn(
          'b',
          read('open.txt', 'mine 日本\nold\nend\n'),
          write('open.txt', 'mine 日本\n見る\nend\n'),
          holds('open.txt', hex('mine ', nihon, '\n', miru, '\nend\n')),
        ),
      );
      const files = { 'open.txt': '' };
      return { files, agents: { Writer: agentOf(script) }, settings: { 'files.encoding': 'shiftjis' } };
    });

    it('FS-3 FS-10 Shift-JIS is read and kept, in files that are open and in others', async () => {
      const { page, folder } = chat();
      await done(chat(), 'closed', script);
      writeFileSync(join(folder, 'open.txt'), Buffer.concat([nihon, Buffer.from('\nold\nend\n')]));
      const editor = await openFile(chat(), 'open.txt');
      await waitText(editor, ['日本', 'old']);
      await putCursor(chat(), editor, 'Home');
      await page.keyboard.type('mine ');
      await page.locator('.tab.active.dirty').waitFor();
      await done(chat(), 'open', script);
      await waitText(editor, ['mine 日本', '見る']);
      assert.ok(script.finished);
    });
  });
});
