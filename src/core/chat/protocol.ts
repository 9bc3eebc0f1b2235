import { isObject } from '../json';
import type { SessionAction } from '../session/actions';
import type { SessionState } from '../session/state';

/** Changes with every build whose two halves must not be mixed. */
export const PROTOCOL_ID = 'parley-1';

/** What the extension tells the page. */
export type HostToPage =
  /** `draft` is what the composer last held; the extension keeps it, since a page can go away at any time. */
  | { type: 'snapshot'; seq: number; state: SessionState; draft: string }
  /** `seq` is the number of the first action. */
  | { type: 'actions'; seq: number; actions: SessionAction[] }
  | { type: 'reply'; id: number; error: string | null }
  | { type: 'focusComposer' };

/** What a person wants, as the page tells the extension; each gets a reply. */
export type Intent =
  | { type: 'prompt'; text: string }
  | { type: 'cancelTurn' }
  | { type: 'forceStop' }
  | { type: 'answerPermission'; requestId: string; optionId: string }
  | { type: 'setConfig'; id: string; value: string | boolean }
  | { type: 'selectAgent'; id: string | null }
  | { type: 'newSession' }
  | { type: 'restartAgent' }
  | { type: 'authenticate'; methodId: string }
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
  | { type: 'draft'; text: string }
  | { type: 'intent'; id: number; intent: Intent };

/** Narrows a message from the page; undefined for anything that is not one. */
export function readPageMessage(value: unknown): PageToHost | undefined {
  if (!isObject(value)) return undefined;
  if (value['type'] === 'ready' || value['type'] === 'resync') return value as PageToHost;
  const { type, id, intent, text } = value;
  if (type === 'draft') return typeof text === 'string' ? { type, text } : undefined;
  return type === 'intent' && typeof id === 'number' && isObject(intent) && typeof intent['type'] === 'string'
    ? (value as PageToHost)
    : undefined;
}
