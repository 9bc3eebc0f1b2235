import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/core/chat/attachment';
import { toContentBlocks, UnsupportedContent } from '../../../src/core/chat/contentBlocks';
import { NO_ABILITIES, type Abilities } from '../../../src/core/session/state';

const of = (attachment: Attachment, abilities: Partial<Abilities> = {}): unknown[] =>
  toContentBlocks({ text: 'look', attachments: [attachment] }, { ...NO_ABILITIES, ...abilities }).wire.slice(
    1,
  );

const IMAGE: Attachment = { kind: 'image', name: 'a.png', mimeType: 'image/png', data: 'AAAA' };
const AUDIO: Attachment = { kind: 'audio', name: 'a.wav', mimeType: 'audio/wav', data: 'BBBB' };
const SELECTION: Attachment = {
  kind: 'selection',
  name: 'a.ts',
  path: '/proj/a.ts',
  fromLine: 3,
  toLine: 4,
  text: 'one\ntwo',
};

describe('the content of a prompt', () => {
  it('PT-3 CO-2 CO-3 has images and audio only for an agent that takes them', () => {
    assert.throws(() => of(IMAGE, { audio: true, embeddedContext: true }), UnsupportedContent);
    assert.throws(() => of(AUDIO, { image: true, embeddedContext: true }), UnsupportedContent);
    assert.deepEqual(of(IMAGE, { image: true }), [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }]);
    assert.deepEqual(of(AUDIO, { audio: true }), [{ type: 'audio', mimeType: 'audio/wav', data: 'BBBB' }]);
  });

  it('PT-3 PT-5 CO-4 has a selection as a resource only where those are taken, else as a link with the text', () => {
    const uri = 'file:///proj/a.ts#L3-L4';
    assert.deepEqual(of(SELECTION, { embeddedContext: true }), [
      { type: 'resource', resource: { uri, text: 'one\ntwo', mimeType: 'text/plain' } },
    ]);
    const [link, quoted] = of(SELECTION) as { type: string; text?: string }[];
    assert.deepEqual(link, { type: 'resource_link', uri, name: 'a.ts' });
    assert.equal(quoted?.type, 'text');
    assert.match(quoted?.text ?? '', /one\ntwo/);
  });

  it('PT-3 PT-4 PT-5 CO-4 has a folder as a link, and a text that stands in no file as a resource or quoted', () => {
    assert.deepEqual(of({ kind: 'folder', path: '/proj/src', name: 'src' }), [
      { type: 'resource_link', uri: 'file:///proj/src', name: 'src' },
    ]);
    const problems: Attachment = { kind: 'text', name: 'Problems of a.ts', text: 'wrong ```' };
    assert.deepEqual(of(problems, { embeddedContext: true }), [
      {
        type: 'resource',
        resource: { uri: 'parley:/Problems%20of%20a.ts', text: 'wrong ```', mimeType: 'text/plain' },
      },
    ]);
    assert.deepEqual(of(problems), [{ type: 'text', text: 'Problems of a.ts\n````\nwrong ```\n````' }]);
  });

  it('PT-4 CO-5 SC-2 has text first, and links for every agent', () => {
    const file: Attachment = { kind: 'file', name: 'ü b.ts', path: '/proj/ü b.ts' };
    const { wire } = toContentBlocks({ text: '/fix it', attachments: [file] }, NO_ABILITIES);
    assert.deepEqual(wire, [
      { type: 'text', text: '/fix it' },
      { type: 'resource_link', uri: 'file:///proj/%C3%BC%20b.ts', name: 'ü b.ts' },
    ]);
  });
});
