import { compatibilityOf } from '../agents/compatibility';
import type { SessionUpdate } from './actions';

const MODE = /^\[MODE_UPDATE\] (\S+)\s*$/;

/** What an update means, coming from that agent: some agents say by a message what the protocol has an update for. */
export function meantBy(update: SessionUpdate, agent: { name?: string; version?: string }): SessionUpdate {
  if (update.kind !== 'chunk' || update.role !== 'agent' || update.block.type !== 'text') return update;
  const { text } = update.block;
  // Each chunk of a message comes by here.
  const modeId = text.startsWith('[') ? MODE.exec(text)?.[1] : undefined;
  if (modeId !== undefined && compatibilityOf(agent).modeInMessages) return { kind: 'mode', modeId };
  const notice = update.messageId === undefined ? noticeIn(text) : undefined;
  return notice && compatibilityOf(agent).noticesInMessages ? notice : update;
}

const NOTICE = /^(Info|Warning|Error): (.+)(?:\n([^]*))?$/;

function noticeIn(text: string): SessionUpdate | undefined {
  const [, severity, title, description] = NOTICE.exec(text) ?? [];
  if (severity === undefined || title === undefined) return undefined;
  const more = description?.trim() ? { description: description.trim() } : {};
  return { kind: 'notice', severity: severity.toLowerCase(), title, ...more, kept: true };
}

/** The tag at the beginning of a text. Names with a dash or an underscore: no HTML that a person writes. */
const TAG = /^<([a-z][a-z0-9]*(?:[-_][a-z0-9]+)+)>/;
const TOOL_RESULTS = /^(?:\[Function Response: [^\]\n]+\]\s*)+$/;

/**
 * True for a text that an agent put into the conversation in the name of the user, for its model: nothing but elements such as
 * `<session_context>…</session_context>`, or the names of tools that answered. Agents replay that with the words of the person.
 */
export function isForModel(text: string): boolean {
  let rest = text.trim();
  if (rest === '') return false;
  while (rest !== '') {
    const tag = TAG.exec(rest)?.[1];
    if (tag === undefined) return TOOL_RESULTS.test(rest);
    const end = rest.indexOf(`</${tag}>`);
    if (end < 0) return false;
    rest = rest.slice(end + tag.length + 3).trimStart();
  }
  return true;
}
