import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/core/chat/attachment';
import { fileUri, toContentBlocks, UnsupportedContent } from '../../../src/core/chat/contentBlocks';
import { NO_ABILITIES, type Abilities } from '../../../src/core/session/state';
import { wireProblemsOf } from '../../support/wireSchema';

const IMAGE: Attachment = { kind: 'image', name: 'a.png', mimeType: 'image/png', data: 'AAAA' };
const AUDIO: Attachment = { kind: 'audio', name: 'a.wav', mimeType: 'audio/wav', data: 'BBBB' };
const FILE: Attachment = { kind: 'file', name: 'a.ts', path: '/work/a.ts' };
const selection = (text: string): Attachment => ({
  kind: 'selection',
  name: 'a.ts',
  path: '/work/a.ts',
  fromLine: 3,
  toLine: 4,
  text,
});
const ALL: readonly Attachment[] = [FILE, selection('one\ntwo'), IMAGE, AUDIO];

const blocks = (attachments: readonly Attachment[], abilities: Partial<Abilities> = {}, text = 'look') =>
  toContentBlocks({ text, attachments }, { ...NO_ABILITIES, ...abilities });

const typesOf = (list: readonly { type: string }[]): string[] => list.map(({ type }) => type);

/** The text that quotes a selection for an agent that takes no resources. */
function quoted(text: string): string {
  const last = blocks([selection(text)]).wire.at(-1);
  return last?.type === 'text' ? last.text : assert.fail('no text');
}

/** What is inside of the first fenced block of a Markdown text (CommonMark, section 4.5); it ends with the text if nothing closes it. */
function fenced(markdown: string): string {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^`{3,}/.test(line));
  const fence = /^`{3,}/.exec(lines[start] ?? '')?.[0] ?? assert.fail('no fence');
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^ {0,3}`{3,}\s*$/.test(line) && line.trim().length >= fence.length);
  return rest.slice(0, end < 0 ? undefined : end).join('\n');
}

describe('the blocks of a prompt', () => {
  it('PT-3 CO-2 CO-3 CO-4 CO-5 has each kind, in the order of the composer, for an agent that takes all', () => {
    const { wire, views } = blocks(ALL, { image: true, audio: true, embeddedContext: true });
    assert.deepEqual(typesOf(wire), ['text', 'resource_link', 'resource', 'image', 'audio']);
    assert.deepEqual(typesOf(views), ['text', 'link', 'resource', 'image', 'audio']);
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'session/prompt',
      params: { sessionId: 's', prompt: wire },
    };
    assert.deepEqual(wireProblemsOf('client', [JSON.stringify(call)], []), []);
  });

  it('PT-4 PT-5 CO-5 has text and links alone for an agent that takes nothing else, and nothing is lost', () => {
    const { wire } = blocks([FILE, selection('one\ntwo')]);
    assert.deepEqual(typesOf(wire), ['text', 'resource_link', 'resource_link', 'text']);
    assert.equal(fenced(quoted('one\ntwo')), 'one\ntwo');
    assert.match(quoted('one\ntwo'), /^a\.ts:3-4\n/);
  });

  for (const [attachment, abilities] of [
    [IMAGE, { audio: true, embeddedContext: true }],
    [AUDIO, { image: true, embeddedContext: true }],
  ] as const) {
    it(`PT-3 refuses ${attachment.kind} by its kind where only the others are taken`, () => {
      assert.throws(
        () => blocks([FILE, attachment], abilities),
        (error) => error instanceof UnsupportedContent && error.kind === attachment.kind,
      );
    });
  }

  it('PT-3 does not take one ability for another', () => {
    assert.deepEqual(typesOf(blocks([selection('x')], { image: true, audio: true }).wire), [
      'text',
      'resource_link',
      'text',
    ]);
    assert.deepEqual(typesOf(blocks([IMAGE], { image: true }).wire), ['text', 'image']);
    assert.deepEqual(typesOf(blocks([AUDIO], { audio: true }).wire), ['text', 'audio']);
  });

  it('PT-4 has no empty text', () => {
    const { wire, views } = blocks([FILE], {}, '');
    assert.deepEqual(typesOf(wire), ['resource_link']);
    assert.deepEqual(typesOf(views), ['link']);
  });

  it('CO-4 CO-5 names the lines of a selection in its URI', () => {
    const [, resource] = blocks([selection('x')], { embeddedContext: true }).wire;
    assert.deepEqual(resource, {
      type: 'resource',
      resource: { uri: 'file:///work/a.ts#L3-L4', text: 'x', mimeType: 'text/plain' },
    });
  });
});

describe('quoted text', () => {
  for (const text of [
    '```\nrm -rf /\n```',
    '``````',
    'a ```` b\n````\nc',
    '   ```',
    '```js\nx\n```\n````\n',
    '~~~\nx\n~~~',
    '',
  ]) {
    it(`PT-5 can't close its fence: ${JSON.stringify(text)}`, () => {
      assert.equal(fenced(quoted(text)), text);
    });
  }
});

describe('the URI of a file', () => {
  for (const [path, uri] of [
    ['/work/a.ts', 'file:///work/a.ts'],
    ['/work/ü b.ts', 'file:///work/%C3%BC%20b.ts'],
    ['/work/100%#1?.ts', 'file:///work/100%25%231%3F.ts'],
    ['C:\\work\\a b.ts', 'file:///C:/work/a%20b.ts'],
    ['c:/work/a.ts', 'file:///c:/work/a.ts'],
    ['\\\\server\\share\\a.ts', 'file://server/share/a.ts'],
  ] as const) {
    it(`CO-5 of ${path}`, () => {
      assert.equal(fileUri(path), uri);
      assert.equal(new URL(uri).protocol, 'file:');
    });
  }
});
