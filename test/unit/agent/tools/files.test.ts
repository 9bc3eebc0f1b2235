import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFiles } from '../../../../src/agent/access/files';
import { asList, asObject } from '../../../../src/core/json';
import { makeWorkspace } from '../../../integration/agent/workspace';
import { failureOf, outputOf, toolsIn } from './runTool';

describe('read_file', () => {
  it('gives at most 2,000 lines, and says how to read on', async () => {
    const text = Array.from({ length: 4_500 }, (_, i) => `line ${i + 1}\n`).join('');
    const run = toolsIn(makeWorkspace({ 'a.txt': text }));
    const first = await outputOf(run('read_file', { path: 'a.txt' }));
    assert.ok(first.startsWith('line 1\n'));
    assert.ok(
      first.endsWith('line 2000\n\n[Note: These are lines 1 to 2000 of 4500. Read on with "line": 2001.]'),
    );
    const last = await outputOf(run('read_file', { path: 'a.txt', line: 4001 }));
    assert.ok(last.startsWith('line 4001\n') && last.endsWith('line 4500\n'));
    const some = await outputOf(run('read_file', { path: 'a.txt', line: 2, limit: 2 }));
    assert.equal(some, 'line 2\nline 3\n');
    const many = await outputOf(run('read_file', { path: 'a.txt', line: 10, limit: 3_000 }));
    assert.match(many, /These are lines 10 to 2009 of 4500\. Read on with "line": 2010\.\]$/);
  });

  it('gives at most 100 kB, in whole lines', async () => {
    const line = `${'é'.repeat(499)}\r\n`;
    const run = toolsIn(makeWorkspace({ 'a.txt': line.repeat(150), 'b.txt': 'x'.repeat(300_000) }));
    const output = await outputOf(run('read_file', { path: 'a.txt' }));
    assert.match(output, /\r\n\n\[Note: These are lines 1 to 100 of 150\. Read on with "line": 101\.\]$/);
    assert.equal(output.indexOf('\n[Note'), line.length * 100);
    const cut = await outputOf(run('read_file', { path: 'b.txt' }));
    assert.match(cut, /^x{100000}\n\n\[Note: Line 1 is too long and was cut off here\./);
  });

  it('says that a file is empty', async () => {
    const run = toolsIn(makeWorkspace({ 'a.txt': '' }));
    assert.equal(await outputOf(run('read_file', { path: 'a.txt' })), '[Note: The file is empty.]');
  });

  it('says that the last line is empty', async () => {
    const run = toolsIn(makeWorkspace({ 'a.txt': 'a\n' }));
    assert.match(
      await outputOf(run('read_file', { path: 'a.txt', line: 2 })),
      /^\[Note: Line 2 is the empty end/,
    );
  });

  it('reads up to 2 MB', async () => {
    const run = toolsIn(makeWorkspace({ 'a.txt': 'x'.repeat(2 ** 21), 'b.txt': 'x'.repeat(2 ** 21 + 1) }));
    assert.match(await outputOf(run('read_file', { path: 'a.txt' })), /^x{100000}\n/);
    assert.match(await failureOf(run('read_file', { path: 'b.txt' })), /larger than 2 MB/);
  });

  it('does not wait for the other end of a pipe (not on Windows, which has no such files)', async function () {
    if (process.platform === 'win32') this.skip();
    const cwd = makeWorkspace({});
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const run = toolsIn(cwd);
    const write = { path: 'pipe', text: 'x', overwrite: true };
    assert.match(await failureOf(run('read_file', { path: 'pipe' })), /a pipe or a device/);
    assert.match(await failureOf(run('write_file', write)), /a pipe or a device/);
  });
});

describe('list_directory', () => {
  it('gives at most 500 names, and says how many are left out', async () => {
    const files = Object.fromEntries(Array.from({ length: 503 }, (_, i) => [`f${1000 + i}`, '']));
    const output = await outputOf(toolsIn(makeWorkspace(files))('list_directory', {}));
    assert.ok(output.startsWith('f1000\nf1001\n'));
    assert.match(output, /\nf1499\n\n\[Note: 3 more names were left out\./);
  });

  it('says that a folder is empty', async () => {
    assert.equal(
      await outputOf(toolsIn(makeWorkspace({}))('list_directory', {})),
      '[Note: The folder is empty.]',
    );
  });
});

describe('edit_file', () => {
  const edit = async (text: string, input: object) => {
    const cwd = makeWorkspace({ 'a.txt': text });
    const run = toolsIn(cwd);
    const ran = await run('edit_file', { path: 'a.txt', ...input });
    return { ...ran, text: readFileSync(join(cwd, 'a.txt'), 'utf8') };
  };

  it('replaces the one place', async () => {
    const { output, text } = await edit('a\nb\nc\n', { oldText: 'b\nc', newText: '$& $1' });
    assert.equal(text, 'a\n$& $1\n');
    assert.equal(output, 'Replaced 1 place, at line 2.');
  });

  it('asks nothing and changes nothing where the text is there more than once, and names the lines', async () => {
    const before = 'a\nb a\n\na\n';
    const { outcome, output, asked, text } = await edit(before, { oldText: 'a', newText: 'x' });
    assert.equal(outcome, 'failed');
    assert.match(output, /is in the file 3 times, at lines 1, 2 and 4\./);
    assert.match(output, /"all": true/);
    assert.deepEqual(asked, []);
    assert.equal(text, before);
    const all = await edit(before, { oldText: 'a', newText: 'x', all: true });
    assert.equal(all.text, 'x\nb x\n\nx\n');
    assert.equal(all.output, 'Replaced 3 places, at lines 1, 2 and 4.');
  });

  it('names ten lines at most', async () => {
    const { output } = await edit('a\n'.repeat(25), { oldText: 'a', newText: 'x' });
    assert.match(output, /25 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 15 more\./);
  });

  it('takes and gives the line ends of the file', async () => {
    const crlf = await edit('one\r\ntwo\r\nthree\r\n', { oldText: 'one\ntwo\n', newText: 'a\nb\nc\n' });
    assert.equal(crlf.text, 'a\r\nb\r\nc\r\nthree\r\n');
    const one = await edit('one\r\ntwo\r\n', { oldText: 'one', newText: 'a\nb' });
    assert.equal(one.text, 'a\r\nb\r\ntwo\r\n');
    const lf = await edit('one\ntwo\n', { oldText: 'one\r\ntwo', newText: 'a\r\nb' });
    assert.equal(lf.text, 'a\nb\n');
  });

  it('says in one sentence, shortly, that a text is not there', async () => {
    const { outcome, output } = await edit('a\n', { oldText: `x\n${'y'.repeat(5000)}`, newText: '' });
    assert.equal(outcome, 'failed');
    assert.match(output, /^The text "x⏎y+…" is not in the file/);
    assert.ok(output.length < 300);
  });

  it('fails where nothing would change', async () => {
    const { output, asked } = await edit('a\n', { oldText: 'a', newText: 'a' });
    assert.match(output, /Nothing would change/);
    assert.deepEqual(asked, []);
  });

  it('writes nothing over what was changed while the person was asked', async () => {
    const cwd = makeWorkspace({ 'a.txt': 'a\n' });
    const answer = () => {
      writeFileSync(join(cwd, 'a.txt'), 'a, and more\n');
      return 'allow_once';
    };
    const output = await failureOf(
      toolsIn(cwd, { answer })('edit_file', { path: 'a.txt', oldText: 'a', newText: 'b' }),
    );
    assert.match(output, /changed in the meantime/);
    assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'a, and more\n');
  });
});

describe('write_file', () => {
  it('replaces a file only when told to, with the difference from its text', async () => {
    const cwd = makeWorkspace({ 'a.txt': 'old\n' });
    const run = toolsIn(cwd);
    const refused = await run('write_file', { path: 'a.txt', text: 'new\n' });
    assert.match(refused.output, /a\.txt exists already: .*"overwrite": true/);
    assert.deepEqual(refused.asked, []);
    const { output, asked } = await run('write_file', { path: 'a.txt', text: 'new\n', overwrite: true });
    assert.equal(output, 'Replaced the whole file.');
    assert.deepEqual(asList(asObject(asked[0]?.['toolCall'])['content']), [
      { type: 'diff', path: join(cwd, 'a.txt'), oldText: 'old\n', newText: 'new\n' },
    ]);
    assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'new\n');
    assert.equal(
      await outputOf(run('write_file', { path: 'b/c.txt', text: 'x', overwrite: true })),
      'Created.',
    );
  });

  it('replaces nothing that is no text', async () => {
    const cwd = makeWorkspace({ 'a.bin': 'a\0b' });
    mkdirSync(join(cwd, 'folder'));
    const run = toolsIn(cwd);
    for (const path of ['a.bin', 'folder'])
      await failureOf(run('write_file', { path, text: 'x', overwrite: true }));
    assert.equal(readFileSync(join(cwd, 'a.bin'), 'utf8'), 'a\0b');
  });

  it('writes nothing over a file that came while the person was asked', async () => {
    const cwd = makeWorkspace({});
    const answer = () => {
      writeFileSync(join(cwd, 'a.txt'), 'mine');
      return 'allow_once';
    };
    await failureOf(toolsIn(cwd, { answer })('write_file', { path: 'a.txt', text: 'x' }));
    assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'mine');
  });
});

describe('permission to change files', () => {
  it('PE-7 is always asked for each file that makes programs run, however it is reached', async () => {
    const cwd = makeWorkspace({ 'a.txt': '', '.vscode/tasks.json': '{}', '.git/config': '' });
    symlinkSync(join(cwd, '.git'), join(cwd, 'docs'));
    const run = toolsIn(cwd, { answer: 'allow_always' });
    const questions = async (path: string): Promise<number> => {
      const { outcome, output, asked } = await run('write_file', {
        path,
        text: String(Math.random()),
        overwrite: true,
      });
      assert.equal(outcome, 'completed', output);
      return asked.length;
    };
    assert.equal(await questions('a.txt'), 1);
    assert.equal(await questions('b/git.txt'), 0);
    for (const path of ['.git/hooks/pre-commit', 'sub/.GIT/config', 'docs/config', '.vscode/tasks.json'])
      assert.deepEqual([await questions(path), await questions(path)], [1, 0], path);
    const { asked } = await run('edit_file', { path: '.git/config', oldText: '0', newText: '1', all: true });
    const names = asList(asked[0]?.['options']).map((option) => asObject(option)['name']);
    assert.deepEqual(names, ['Allow', 'Always allow edits of .git/config in this session', 'Reject']);
  });
});

describe('the folders of a session', () => {
  it('SE-24 are not left by a link to what does not exist', async () => {
    const cwd = makeWorkspace({});
    const outside = join(makeWorkspace({}), 'new.txt');
    symlinkSync(outside, join(cwd, 'a.txt'));
    const files = ownFiles({ cwd, additionalDirectories: [] });
    await assert.rejects(files.write(join(cwd, 'a.txt'), 'x'), /"a\.txt" is a link to what does not exist/);
    assert.match(
      await failureOf(toolsIn(cwd)('write_file', { path: 'a.txt', text: 'x' })),
      /a link to what does not/,
    );
    assert.equal(existsSync(outside), false);
  });

  it('SE-24 are all open to the tools, by absolute paths, and nothing beside them is', async () => {
    const cwd = makeWorkspace({ 'a.txt': 'in the first' });
    const other = makeWorkspace({ 'b.txt': 'in the other', 'sub/c.txt': '' });
    const outside = makeWorkspace({ 'd.txt': 'secret' });
    symlinkSync(outside, join(other, 'out'));
    symlinkSync(other, join(cwd, 'way'));
    const run = toolsIn({ cwd, additionalDirectories: [other, join(outside, 'gone')] });
    assert.equal(await outputOf(run('read_file', { path: 'a.txt' })), 'in the first');
    assert.equal(await outputOf(run('read_file', { path: join(other, 'b.txt') })), 'in the other');
    assert.equal(await outputOf(run('read_file', { path: 'way/b.txt' })), 'in the other');
    assert.match(await outputOf(run('list_directory', { path: other })), /^sub\/\nb\.txt/);
    await outputOf(run('write_file', { path: join(other, 'new.txt'), text: 'x' }));
    assert.ok(existsSync(join(other, 'new.txt')));
    for (const path of [join(outside, 'd.txt'), join(other, 'out', 'd.txt'), 'way/out/d.txt', '../d.txt']) {
      assert.match(await failureOf(run('read_file', { path })), /outside of the session's folders/);
      assert.match(
        await failureOf(run('write_file', { path, text: 'x', overwrite: true })),
        /outside of the session's folders/,
      );
    }
    assert.equal(readFileSync(join(outside, 'd.txt'), 'utf8'), 'secret');
  });
});

describe('update_plan', () => {
  it('PL-2 shows the whole plan, without a word on its card', async () => {
    const entries = [
      { content: 'Look', status: 'completed', priority: 'high' },
      { content: 'Change', status: 'in_progress' },
    ];
    const { updates, asked } = await toolsIn(makeWorkspace({}), { mode: 'plan' })('update_plan', { entries });
    assert.deepEqual(
      updates.find(({ sessionUpdate }) => sessionUpdate === 'plan'),
      {
        sessionUpdate: 'plan',
        entries: [
          { content: 'Look', status: 'completed', priority: 'high' },
          { content: 'Change', status: 'in_progress', priority: 'medium' },
        ],
      },
    );
    assert.deepEqual(updates.at(-1)?.['content'], []);
    assert.equal(updates[0]?.['kind'], 'think');
    assert.deepEqual(asked, []);
  });
});
