import type { ContentBlock } from '../acp';
import type { Abilities, BlockView } from '../session/state';
import type { Attachment } from './attachment';

/** What a person sends: the text, and what they added to it. */
export interface PromptContent {
  text: string;
  attachments: readonly Attachment[];
}

/** A kind of content that the agent does not take (PT-3). */
export class UnsupportedContent extends Error {
  constructor(readonly kind: 'image' | 'audio') {
    super(`The agent takes no ${kind}.`);
    this.name = 'UnsupportedContent';
  }
}

/**
 * The blocks of a prompt, and how they are shown. The text comes first, so that a slash command is at the beginning (SC-2). Text and
 * links are always sent; a selection goes as a resource where the agent takes those, else as a link and quoted text (PT-3..PT-5).
 *
 * @throws UnsupportedContent for an image or audio that the agent did not announce.
 */
export function toContentBlocks(
  { text, attachments }: PromptContent,
  abilities: Abilities,
): { wire: ContentBlock[]; views: BlockView[] } {
  const wire: ContentBlock[] = text === '' ? [] : [{ type: 'text', text }];
  const views: BlockView[] = text === '' ? [] : [{ type: 'text', text }];
  for (const attachment of attachments) {
    wire.push(...toWire(attachment, abilities));
    views.push(toView(attachment));
  }
  return { wire, views };
}

function toWire(attachment: Attachment, abilities: Abilities): ContentBlock[] {
  switch (attachment.kind) {
    case 'file':
    case 'folder':
      return [{ type: 'resource_link', uri: fileUri(attachment.path), name: attachment.name }];
    case 'selection': {
      const { path, name, fromLine, toLine, text } = attachment;
      const uri = `${fileUri(path)}#L${fromLine}-L${toLine}`;
      if (abilities.embeddedContext)
        return [{ type: 'resource', resource: { uri, text, mimeType: 'text/plain' } }];
      return [
        { type: 'resource_link', uri, name },
        { type: 'text', text: `${name}:${fromLine}-${toLine}\n${quote(text)}` },
      ];
    }
    case 'text': {
      const { name, text } = attachment;
      if (abilities.embeddedContext)
        return [{ type: 'resource', resource: { uri: textUri(name), text, mimeType: 'text/plain' } }];
      return [{ type: 'text', text: `${name}\n${quote(text)}` }];
    }
    case 'image':
    case 'audio': {
      const { kind, mimeType, data } = attachment;
      if (!abilities[kind]) throw new UnsupportedContent(kind);
      return [{ type: kind, mimeType, data }];
    }
  }
}

function toView(attachment: Attachment): BlockView {
  switch (attachment.kind) {
    case 'file':
    case 'folder':
      return { type: 'link', uri: fileUri(attachment.path), name: attachment.name };
    case 'selection': {
      const { path, fromLine, toLine, text } = attachment;
      return { type: 'resource', uri: `${fileUri(path)}#L${fromLine}-L${toLine}`, text };
    }
    case 'text':
      return { type: 'resource', uri: textUri(attachment.name), text: attachment.text };
    case 'image':
      return { type: 'image', mimeType: attachment.mimeType, data: attachment.data };
    case 'audio':
      return { type: 'audio', mimeType: attachment.mimeType };
  }
}

/** Names a text that stands in no file; nothing can be opened by it. */
function textUri(name: string): string {
  return `parley:/${encodeURIComponent(name)}`;
}

/** A fenced block that the text can't close. */
function quote(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** The `file:` URI of an absolute path of either platform. */
export function fileUri(path: string): string {
  const windows = /^([a-z]:)?\\|^[a-z]:/i.test(path);
  const slashes = windows ? path.replaceAll('\\', '/') : path;
  const encoded = slashes
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('%3A', ':'))
    .join('/');
  if (slashes.startsWith('//')) return `file:${encoded}`;
  return slashes.startsWith('/') ? `file://${encoded}` : `file:///${encoded}`;
}
