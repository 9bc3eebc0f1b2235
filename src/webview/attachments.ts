import type { Attachment } from '../core/chat/attachment';

/** The attachments with others added, except for files and lines that are there already. */
export function withAttachments(
  there: readonly Attachment[],
  added: readonly Attachment[],
): readonly Attachment[] {
  const all = [...there];
  for (const attachment of added) if (!all.some((item) => isSame(item, attachment))) all.push(attachment);
  return all;
}

function isSame(a: Attachment, b: Attachment): boolean {
  if (a.kind === 'file' || a.kind === 'folder') return b.kind === a.kind && a.path === b.path;
  if (a.kind === 'text') return b.kind === 'text' && a.name === b.name && a.text === b.text;
  if (a.kind !== 'selection' || b.kind !== 'selection') return false;
  return a.path === b.path && a.fromLine === b.fromLine && a.toLine === b.toLine && a.text === b.text;
}
