import type { Attachment } from './attachment';
import type { Draft } from './protocol';

/** What is left of a draft when a session has what was sent: all that was written or attached since. */
export function afterSent({ text, attachments }: Draft, sent: Draft): Draft {
  return {
    text: text === sent.text ? '' : text,
    attachments: withoutSent(attachments, sent.attachments),
  };
}

/** The attachments without those that were sent. They are compared by what they hold: those of a snapshot are copies. */
export function withoutSent(attachments: readonly Attachment[], sent: readonly Attachment[]): Attachment[] {
  const gone = [...sent];
  return attachments.filter((item) => {
    const at = gone.findIndex((one) => isSame(one, item));
    if (at >= 0) gone.splice(at, 1);
    return at < 0;
  });
}

function isSame(a: Attachment, b: Attachment): boolean {
  const theirs = new Map<string, unknown>(Object.entries(b));
  const own = Object.entries(a);
  return own.length === theirs.size && own.every(([name, value]) => theirs.get(name) === value);
}
