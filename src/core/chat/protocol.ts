import { asList, asObject, asString, isObject } from '../json';
import type { SessionAction } from '../session/actions';
import type { ElicitationAction, SessionState } from '../session/state';
import type { Attachment } from './attachment';
import type { SessionList } from './sessionRow';

/** Changes with every build whose two halves must not be mixed. */
export const PROTOCOL_ID = 'parley-2';

/** What the composer holds. */
export interface Draft {
  text: string;
  attachments: Attachment[];
}

/** What the extension tells the page. */
export type HostToPage =
  /** `key` tells which session it is; `draft` is what its composer last held, since a page can go away at any time. */
  | { type: 'snapshot'; seq: number; key: string; state: SessionState; draft: Draft }
  /** `seq` is the number of the first action. */
  | { type: 'actions'; seq: number; actions: SessionAction[] }
  | { type: 'sessions'; list: SessionList }
  /** To be added to the draft. */
  | { type: 'attach'; attachments: Attachment[] }
  | { type: 'showSessions' }
  /** The page answers `painted` with the id when all that came before is on screen. */
  | { type: 'paint'; id: number }
  | { type: 'reply'; id: number; error: string | null }
  | { type: 'focusComposer' };

/** What a person wants, as the page tells the extension; each gets a reply. */
export type Intent =
  /** Goes into the queue while a turn runs. */
  | { type: 'prompt'; text: string; attachments: Attachment[] }
  | { type: 'queueRemove'; id: string }
  | { type: 'queueEdit'; id: string; text: string }
  /** `to` is the new index, 0-based. */
  | { type: 'queueMove'; id: string; to: number }
  /** Cancels the turn and sends this one next. */
  | { type: 'queueSendNow'; id: string }
  | { type: 'queueResume' }
  | { type: 'cancelTurn' }
  | { type: 'forceStop' }
  | { type: 'answerPermission'; requestId: string; optionId: string }
  /** `content`: the values of the form by field, only with `accept`. For a page to open, `accept` opens it. */
  | {
      type: 'answerElicitation';
      requestId: string;
      action: ElicitationAction;
      content?: Record<string, string | number | boolean | string[]>;
    }
  | { type: 'setConfig'; id: string; value: string | boolean }
  | { type: 'selectAgent'; id: string | null }
  | { type: 'newSession' }
  | { type: 'listSessions' }
  | { type: 'showSession'; key: string }
  | { type: 'closeSession'; key: string }
  | { type: 'deleteSession'; key: string }
  | { type: 'restartAgent' }
  | { type: 'authenticate'; methodId: string }
  | { type: 'logout' }
  | { type: 'stopTerminal'; terminalId: string }
  | { type: 'openTerminal'; terminalId: string }
  | { type: 'openFile'; path: string; line?: number }
  | { type: 'openDiff'; ref: string }
  | { type: 'openLink'; href: string }
  | { type: 'copy'; text: string }
  | { type: 'showLog' }
  | { type: 'openSettings' }
  | { type: 'dismissBanner' };

export type PageToHost =
  | { type: 'ready'; protocol: string }
  | { type: 'resync' }
  | { type: 'draft'; key: string; draft: Draft }
  | { type: 'painted'; id: number }
  | { type: 'intent'; id: number; intent: Intent };

/** Narrows a message from the page; undefined for anything that is not one. */
export function readPageMessage(value: unknown): PageToHost | undefined {
  if (!isObject(value)) return undefined;
  if (value['type'] === 'ready' || value['type'] === 'resync') return value as PageToHost;
  const { type, id, intent, key, draft } = value;
  if (type === 'draft') return typeof key === 'string' ? { type, key, draft: readDraft(draft) } : undefined;
  if (type === 'painted') return typeof id === 'number' ? { type, id } : undefined;
  return type === 'intent' && typeof id === 'number' && isObject(intent) && typeof intent['type'] === 'string'
    ? (value as PageToHost)
    : undefined;
}

/** A draft from the page or from a file; anything else gives an empty one. */
export function readDraft(value: unknown): Draft {
  const { text, attachments } = asObject(value);
  return { text: asString(text) ?? '', attachments: asList(attachments).filter(isAttachment) };
}

function isAttachment(value: unknown): value is Attachment {
  const { kind, name, path, data } = asObject(value);
  if (typeof name !== 'string') return false;
  return kind === 'file' || kind === 'selection' ? typeof path === 'string' : typeof data === 'string';
}
