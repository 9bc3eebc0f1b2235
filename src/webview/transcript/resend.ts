import type { Attachment } from '../../core/chat/attachment';
import type { BlockView } from '../../core/session/state';
import { linkTarget } from '../markdown/links';
import { nameOf } from './blocks';

/** The attachments of a prompt that was sent, as far as its blocks tell them, to send it again. */
export function attachmentsOf(blocks: readonly BlockView[]): Attachment[] {
  return blocks.flatMap((block): Attachment[] => {
    if (block.type === 'image' && block.data !== undefined)
      return [{ kind: 'image', name: block.mimeType, mimeType: block.mimeType, data: block.data }];
    if (block.type === 'link') return fileOf(block.uri);
    if (block.type === 'resource')
      return textOf(block.uri, block.text) ?? selectionOf(block.uri, block.text) ?? fileOf(block.uri);
    return [];
  });
}

function textOf(uri: string, text: string | undefined): Attachment[] | undefined {
  if (!uri.startsWith('parley:/') || text === undefined) return undefined;
  return [{ kind: 'text', name: nameOf(uri), text }];
}

function pathOf(uri: string): { path: string; name: string } | undefined {
  const target = uri.startsWith('file:') ? linkTarget(uri) : undefined;
  if (target?.kind !== 'file') return undefined;
  return { path: target.path, name: target.path.split(/[\\/]/).at(-1) ?? target.path };
}

function fileOf(uri: string): Attachment[] {
  const file = pathOf(uri);
  return file ? [{ kind: 'file', ...file }] : [];
}

function selectionOf(uri: string, text: string | undefined): Attachment[] | undefined {
  const [, from, to = from] = /#L(\d+)(?:-L?(\d+))?$/.exec(uri) ?? [];
  const file = pathOf(uri);
  if (!file || text === undefined || from === undefined) return undefined;
  return [{ kind: 'selection', ...file, fromLine: Number(from), toLine: Number(to), text }];
}
