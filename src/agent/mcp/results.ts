import { asObject, asString } from '../../core/json';
import { cutMiddle } from '../../core/session/limits';

/** Most UTF-16 units of a result that the model is given. */
export const MAX_OUTPUT = 50_000;

/** Most UTF-16 units that a card shows of a text. */
export const MAX_SHOWN = 20_000;

/** The result of an MCP tool as a text: texts as they are, other contents by their names alone. */
export function resultText(content: readonly unknown[], structured: unknown): string {
  const parts = content.map(itemText).filter((text) => text !== '');
  if (parts.length === 0 && structured !== undefined) parts.push(JSON.stringify(structured, undefined, 2));
  return cutMiddle(parts.join('\n\n'), MAX_OUTPUT);
}

function itemText(value: unknown): string {
  const item = asObject(value);
  switch (item['type']) {
    case 'text':
      return asString(item['text']) ?? '';
    case 'image':
    case 'audio':
      return `[${item['type']} ${mediaOf(item)}${sizeOf(item['data'])}, which can not be shown here]`;
    case 'resource':
      return resourceText(item['resource']);
    case 'resource_link': {
      const description = asString(item['description']);
      const about = description === undefined ? '' : ` - ${description}`;
      return `[resource ${asString(item['name']) ?? ''} ${asString(item['uri']) ?? ''}${about}]`;
    }
    default:
      return `[content of an unknown type]`;
  }
}

function resourceText(value: unknown): string {
  const resource = asObject(value);
  const uri = asString(resource['uri']) ?? '';
  const text = asString(resource['text']);
  if (text !== undefined) return `[resource ${uri}]\n${text}`;
  return `[resource ${uri} ${mediaOf(resource)}${sizeOf(resource['blob'])}, which can not be shown here]`;
}

function mediaOf(item: Readonly<Record<string, unknown>>): string {
  return asString(item['mimeType']) ?? 'of an unknown type';
}

/** The size of what is encoded as base64. */
function sizeOf(data: unknown): string {
  return typeof data === 'string' ? `, ${Math.ceil((data.length * 3) / 4 / 1024)} KiB` : '';
}
