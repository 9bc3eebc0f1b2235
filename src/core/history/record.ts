import type { SessionAction, SessionUpdate } from '../session/actions';
import { NO_ABILITIES } from '../session/state';

/** How an action is kept: `no`; or written; `heavy` alone makes a file for a session that has none. */
type Keeping = 'no' | 'light' | 'heavy';

const KEEPING: Record<SessionAction['type'], Keeping> = {
  update: 'light', // See UPDATES.
  agentsListed: 'no',
  connectionChanged: 'no',
  agentIntroduced: 'light',
  bannerShown: 'no',
  sessionChosen: 'light',
  sessionOpened: 'light',
  configChanged: 'no',
  configValueSet: 'no',
  promptSubmitted: 'heavy',
  queueChanged: 'light', // See `isHeavy`.
  modelCallStarted: 'light',
  modelCallEnded: 'light',
  turnEnded: 'light',
  turnFailed: 'light',
  cancelRequested: 'light',
  agentLost: 'light',
  noticeShown: 'light',
  folderAllowed: 'no',
  changesShown: 'no', // Kept with the texts.
  permissionRequested: 'heavy',
  permissionAnswered: 'light',
  elicitationRequested: 'heavy',
  elicitationAnswered: 'light',
  elicitationCompleted: 'light',
  terminalStarted: 'light',
  terminalScreen: 'light',
  terminalExited: 'light',
  terminalReleased: 'light',
};

const UPDATES: Record<SessionUpdate['kind'], Keeping> = {
  chunk: 'heavy',
  synthetic: 'heavy',
  toolCall: 'heavy',
  toolCallUpdate: 'heavy',
  plan: 'heavy',
  compaction: 'heavy',
  compactionChunk: 'heavy',
  info: 'light',
  usage: 'light',
  tokens: 'light',
  unknown: 'light',
  // The agent says these anew when it is back.
  commands: 'no',
  config: 'no',
  mode: 'no',
  // Live only (NO-1).
  notice: 'no',
};

/**
 * What of an action goes into the log; undefined for what is of no use after a restart. `_meta` stays (EX-7). Nothing is changed in
 * place. Screens of terminals are the recorder's business: it writes few of them.
 */
export function recorded(action: SessionAction): SessionAction | undefined {
  switch (action.type) {
    case 'update':
      return keepingOf(action) === 'no' || isEmptyText(action) ? undefined : action;
    case 'agentIntroduced':
      return { ...action, authMethods: [], abilities: { ...NO_ABILITIES } };
    case 'sessionOpened':
      return { ...action, config: [] };
    case 'noticeShown': {
      // What was refused in an earlier window can't be allowed in this one.
      const { folder: _, ...rest } = action;
      return rest;
    }
    default:
      return keepingOf(action) === 'no' ? undefined : action;
  }
}

/** True for an action that makes a session worth a file: a prompt, a word of the agent, a prompt that waits. */
export function isHeavy(action: SessionAction): boolean {
  if (action.type === 'queueChanged') return action.queue.items.length > 0;
  return keepingOf(action) === 'heavy';
}

/** True for an action after which the log is written at once, since what it says must not happen twice or be forgotten. */
export function isUrgent({ type }: SessionAction): boolean {
  return type === 'promptSubmitted' || type === 'queueChanged' || endsTurn(type);
}

/** True for an action after which nothing more is expected. */
export function endsTurn(type: SessionAction['type']): boolean {
  return type === 'turnEnded' || type === 'turnFailed' || type === 'agentLost';
}

/** True for the types that a log may hold. */
export function isRecordedType(type: unknown): type is SessionAction['type'] {
  return typeof type === 'string' && Object.hasOwn(KEEPING, type) && KEEPING[type as 'update'] !== 'no';
}

function keepingOf(action: SessionAction): Keeping {
  if (action.type === 'update' && action.update.kind === 'notice' && action.update.kept) return 'light';
  return action.type === 'update' ? UPDATES[action.update.kind] : KEEPING[action.type];
}

/** Some agents send it as a carrier for `_meta`; without that it says nothing. */
function isEmptyText({ update, meta }: Extract<SessionAction, { type: 'update' }>): boolean {
  return update.kind === 'chunk' && update.block.type === 'text' && update.block.text === '' && !meta;
}
