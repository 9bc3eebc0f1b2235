import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/core/chat/attachment';
import type { MentionItem, WorkspaceFile } from '../../../src/core/chat/mentions';
import { PROTOCOL_ID } from '../../../src/core/chat/protocol';
import { Emitter } from '../../../src/core/emitter';
import { Mentions, type MentionEditor } from '../../../src/host/chat/mentions/mentions';
import { FakePage } from './fakePage';

const symbolOf = (name: string): MentionItem => ({
  kind: 'symbol',
  name,
  place: 'a.ts',
  path: '/proj/a.ts',
  line: 1,
  column: 1,
  icon: 'symbol-class',
});

class FakeEditor implements MentionEditor {
  readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  /** Ends the listings that run. */
  readonly listings: ((result: string[] | Error) => void)[] = [];
  opened: string[] = [];
  roots: string[] = [];

  list(): Promise<WorkspaceFile[]> {
    return new Promise((resolve, reject) =>
      this.listings.push((result) =>
        result instanceof Error
          ? reject(result)
          : resolve(result.map((path) => ({ folder: '/proj', label: '', path }))),
      ),
    );
  }

  open(): MentionItem[] {
    return this.opened.map((name) => ({ kind: 'file', name, place: '', path: `/proj/${name}`, open: true }));
  }

  sources(): MentionItem[] {
    return [{ kind: 'problems', name: 'Problems', place: '1' }];
  }

  own: string[] = [];
  /** What the language services find; they never answer without. */
  found: string[] | undefined = [];
  readonly asked: string[] = [];

  ownSymbols(): Promise<MentionItem[]> {
    return Promise.resolve(this.own.map(symbolOf));
  }

  symbols(query: string): Promise<MentionItem[]> {
    this.asked.push(query);
    const { found } = this;
    return found ? Promise.resolve(found.map(symbolOf)) : new Promise(() => undefined);
  }

  take(): Promise<never> {
    return Promise.reject(new Error('nothing'));
  }

  folders(): string[] {
    return this.roots;
  }
}

describe('the search for what can be mentioned', () => {
  let editor: FakeEditor;
  let mentions: Mentions;
  let answers: { names: string[]; done: boolean }[];
  let isCurrent: boolean;
  const find = (query: string): Promise<void> =>
    mentions.find(query, {
      isCurrent: () => isCurrent,
      show: (items, done) => answers.push({ names: items.map(({ name }) => name), done }),
    });
  beforeEach(() => {
    editor = new FakeEditor();
    mentions = new Mentions(editor);
    answers = [];
    isCurrent = true;
  });

  it('shows at once what is open and the rest, and the files as soon as they are listed', async () => {
    editor.opened = ['b.ts'];
    const searched = find('');
    assert.equal(editor.listings.length, 1);
    while (answers.length === 0) await new Promise(setImmediate);
    assert.deepEqual(answers, [{ names: ['b.ts', 'Problems'], done: false }]);
    editor.listings[0]?.(['a.ts', 'b.ts']);
    await searched;
    assert.deepEqual(answers.at(-1), { names: ['b.ts', 'Problems', 'a.ts'], done: true });
  });

  it('lists the files once, and again only after a change, showing meanwhile what it knows', async () => {
    const first = find('');
    editor.listings[0]?.(['a.ts']);
    await first;
    await find('a');
    assert.deepEqual(answers.at(-1), { names: ['a.ts'], done: true });
    assert.equal(editor.listings.length, 1);
    editor.changed.fire();
    editor.changed.fire();
    assert.equal(editor.listings.length, 1, 'nobody asks');
    const third = find('ts');
    while (answers.length < 4) await new Promise(setImmediate);
    assert.deepEqual(answers.at(-1), { names: ['a.ts'], done: false });
    editor.listings[1]?.(['a.ts', 'new.ts']);
    await third;
    assert.deepEqual(answers.at(-1), { names: ['a.ts', 'new.ts'], done: true });
    assert.equal(editor.listings.length, 2);
  });

  it('shows nothing of a question that is no longer asked', async () => {
    const searched = find('a');
    isCurrent = false;
    editor.listings[0]?.(['a.ts']);
    await searched;
    assert.deepEqual(answers, [{ names: [], done: false }]);
  });

  it('says why the files are missing, is done nevertheless, and tries again', async () => {
    const searched = find('');
    editor.listings[0]?.(new Error('no ripgrep'));
    await assert.rejects(searched, /no ripgrep/);
    assert.deepEqual(answers.at(-1), { names: ['Problems'], done: true });
    const again = find('');
    editor.listings[1]?.(['a.ts']);
    await again;
    assert.deepEqual(answers.at(-1)?.names, ['Problems', 'a.ts']);
  });

  it('finds only what lies in the folders of the session', async () => {
    editor.roots = ['/proj/shop/'];
    const searched = find('');
    editor.listings[0]?.(['shop/a.ts', 'shopping/b.ts', 'c.ts']);
    await searched;
    assert.deepEqual(answers.at(-1)?.names, ['Problems', 'shop', 'a.ts']);
  });

  it('adds symbols when the language services have answered, files first where both fit as well', async () => {
    editor.found = ['date', 'update', 'Mandate'];
    const searched = find('date');
    editor.listings[0]?.(['date', 'x.ts']);
    await searched;
    assert.deepEqual(editor.asked, ['date']);
    assert.deepEqual(answers.at(0), { names: [], done: false });
    assert.deepEqual(answers.at(-1), { names: ['date', 'date', 'update', 'Mandate'], done: true });
  });

  it('finds symbols alone after #: those of the file in front at once and in its order, then all', async () => {
    editor.own = ['b', 'a'];
    editor.found = ['a', 'abc'];
    await find('#');
    assert.deepEqual(answers, [{ names: ['b', 'a'], done: true }]);
    await find('#a');
    assert.deepEqual(answers.slice(1), [
      { names: ['a'], done: false },
      { names: ['a', 'abc'], done: true },
    ]);
    assert.deepEqual([editor.asked, editor.listings.length], [['a'], 0]);
  });

  it('does not ask language services for what is typed over meanwhile', async () => {
    const searched = find('#abc');
    await new Promise(setImmediate);
    isCurrent = false;
    await searched;
    assert.deepEqual(editor.asked, []);
  });

  it('gives up on language services that do not answer', async () => {
    editor.found = undefined;
    editor.own = ['abc'];
    await find('#abc');
    assert.deepEqual(answers.at(-1), { names: ['abc'], done: true });
  }).timeout(10_000);
});

describe('mentions between the page and the extension', () => {
  const items: MentionItem[] = [{ kind: 'changes', name: 'Git changes', place: '' }];

  it('answers the last question only, and survives a search that fails', async () => {
    const page = FakePage.ready();
    const ends: (() => void)[] = [];
    page.composer.mentions.find = (query, { isCurrent, show }) =>
      new Promise((resolve, reject) =>
        ends.push(() => {
          if (isCurrent()) show(items, true);
          if (query === 'bad') reject(new Error('no ripgrep'));
          else resolve();
        }),
      );
    page.send({ type: 'findMentions', id: 1, query: 'a' });
    page.send({ type: 'findMentions', id: 2, query: 'bad' });
    for (const end of ends) end();
    while (page.log.length === 0) await new Promise(setImmediate);
    assert.deepEqual(page.ofType('mentions'), [{ type: 'mentions', id: 2, items, done: true }]);
    assert.match(page.log[0] ?? '', /no ripgrep/);
    page.channel.dispose();
  });

  it('attaches what was chosen to the session that it was chosen for, and says why it can not', async () => {
    const page = FakePage.ready();
    const { key } = page.sessions.current;
    page.send({ type: 'takeMention', id: 1, key, source: 'problems' });
    await page.until(() => page.ofType('reply').length === 1);
    assert.deepEqual(page.ofType('attach'), [
      { type: 'attach', attachments: [{ kind: 'text', name: 'problems', text: 'problems' }] },
    ]);
    page.send({ type: 'takeMention', id: 2, key: 'another', source: 'problems' });
    page.composer.mentions.take = () => Promise.reject(new Error('There are none.'));
    page.send({ type: 'takeMention', id: 3, key, source: 'changes' });
    await page.until(() => page.ofType('reply').length === 3);
    assert.equal(page.ofType('attach').length, 1);
    assert.deepEqual(
      page.ofType('reply').map(({ error }) => error),
      [null, null, 'There are none.'],
    );
    page.channel.dispose();
  });

  it('keeps the attachments of a draft of which only the text changes', () => {
    const page = FakePage.ready();
    const attachments: Attachment[] = [{ kind: 'image', name: 'a', mimeType: 'image/png', data: 'AA==' }];
    page.send({ type: 'draft', key: 'k', draft: { text: 'a', attachments } });
    page.send({ type: 'draftText', key: 'k', text: 'ab' });
    page.sendRaw({ type: 'draftText', key: 'k', text: 1 });
    assert.deepEqual(page.drafts.get('k'), { text: 'ab', attachments });
    page.channel.dispose();
  });

  it('PT-4 attaches dropped files as the agent takes them, and says what is missing', async () => {
    const page = FakePage.ready();
    const { key } = page.sessions.current;
    page.send({ type: 'takeDropped', id: 1, key, uris: ['file:///a'] });
    await page.until(() => page.ofType('reply').length === 1);
    const file = { kind: 'file', path: 'file:///a', name: 'file' };
    assert.deepEqual(page.ofType('attach'), [{ type: 'attach', attachments: [file] }]);
    page.composer.takeDropped = () => Promise.resolve({ attachments: [], problem: 'Not found: a' });
    page.send({ type: 'takeDropped', id: 2, key, uris: ['file:///a'] });
    await page.until(() => page.ofType('reply').length === 2);
    assert.equal(page.ofType('attach').length, 1);
    assert.equal(page.ofType('reply')[1]?.error, 'Not found: a');
    page.channel.dispose();
  });

  it('takes no question that is none', () => {
    const page = FakePage.ready();
    page.sendRaw({ type: 'takeDropped', id: 1, uris: ['file:///a'] });
    page.sendRaw({
      type: 'takeMention',
      id: 1,
      key: 'first',
      source: { path: '/a', name: 'a', line: 0, column: 1 },
    });
    page.sendRaw({
      type: 'takeMention',
      id: 1,
      key: 'first',
      source: { path: 1, name: 'a', line: 1, column: 1 },
    });
    page.sendRaw({ type: 'findMentions', id: 1 });
    page.sendRaw({ type: 'findMentions', id: 'x', query: '' });
    page.sendRaw({ type: 'takeMention', id: 1, key: 'first', source: 'secrets' });
    page.sendRaw({ type: 'takeMention', id: 1, source: 'changes' });
    assert.equal(page.log.length, 7);
    page.channel.dispose();
  });

  it('tells the page which key sends, when it is ready and when that changes', () => {
    const page = new FakePage();
    page.composer.change('ctrlEnter');
    assert.deepEqual(page.posts, []);
    page.send({ type: 'ready', protocol: PROTOCOL_ID });
    page.composer.change('enter');
    assert.deepEqual(
      page.ofType('sendOn').map(({ key }) => key),
      ['ctrlEnter', 'enter'],
    );
    page.channel.dispose();
  });
});
