import { asList, asObject, asString, compact, type JsonObject } from '../json';
import { cutMiddle, MAX_IMAGE, MAX_TEXT } from './limits';
import type { BlockContent, BlockView } from './state';

/** Reads a content block; an unknown or broken one is named, never dropped (CO-7). `cap` false keeps text of any length. */
export function readBlock(value: unknown, cap: boolean): BlockView {
  const block = asObject(value);
  const content = readContent(block, cap);
  return isForModelOnly(block) ? { ...content, hidden: true } : content;
}

/** True where the agent says that a block is for the model and for no one else (CO-6). */
function isForModelOnly(block: JsonObject): boolean {
  const audience = asList(asObject(block['annotations'])['audience']);
  return audience.length > 0 && audience.every((role) => role === 'assistant');
}

function readContent(block: JsonObject, cap: boolean): BlockContent {
  const type = asString(block['type']);
  switch (type) {
    case 'text': {
      const text = asString(block['text']);
      if (text === undefined) break;
      return { type: 'text', text: cap ? cutMiddle(text, MAX_TEXT) : text };
    }
    case 'image':
      return readImage(block);
    case 'audio':
      return { type: 'audio', mimeType: asString(block['mimeType']) ?? 'audio' };
    case 'resource':
      return readResource(asObject(block['resource']));
    case 'resource_link': {
      const uri = asString(block['uri']);
      if (uri === undefined) break;
      const name = asString(block['name']) ?? uri;
      return compact({ type: 'link' as const, uri, name, title: asString(block['title']) });
    }
    default:
  }
  return { type: 'unknown', name: type ?? '?' };
}

function readImage(block: JsonObject): BlockContent {
  const data = asString(block['data']);
  const mimeType = asString(block['mimeType']) ?? 'image';
  const uri = asString(block['uri']);
  const shown =
    data && data.length <= MAX_IMAGE && /^image\/(png|jpeg|gif|webp)$/.test(mimeType) ? data : undefined;
  return compact({ type: 'image' as const, mimeType, data: shown, uri });
}

function readResource(resource: JsonObject): BlockContent {
  const uri = asString(resource['uri']) ?? '';
  const text = asString(resource['text']);
  const mimeType = asString(resource['mimeType']);
  return compact({
    type: 'resource' as const,
    uri,
    mimeType,
    text: text === undefined ? undefined : cutMiddle(text, MAX_TEXT),
  });
}
