import { asObject, isObject } from '../json';
import type { RuleScope } from '../permission/rules';
import type { ChangeScope } from '../review/changes';
import type { Attachment } from './attachment';
import {
  either,
  finite,
  flag,
  integer,
  list,
  nothing,
  oneOf,
  optional,
  record,
  REFUSED,
  shape,
  text,
  type Guard,
} from './guards';
import type { Intent } from './protocol';
import type { ModelSource } from './start';

/** Longest id, name or word, in UTF-16 units; ids of agents may be long. */
export const MAX_ID = 10_000;
/** Longest path or address. */
const MAX_PATH = 65_536;
/** Longest text, or base64 of an attachment. */
const MAX_TEXT = 67_108_864;
/** Most attachments of a prompt, and most fields of a form. */
const MAX_ITEMS = 1_000;

const id = text(MAX_ID);
const path = text(MAX_PATH);
const words = text(MAX_TEXT);
const changeScope = oneOf<ChangeScope>('turn', 'session');

const ATTACHMENTS: { [K in Attachment['kind']]: Guard<Extract<Attachment, { kind: K }>> } = {
  file: shape({ kind: oneOf('file'), path, name: path }),
  folder: shape({ kind: oneOf('folder'), path, name: path }),
  text: shape({ kind: oneOf('text'), name: path, text: words }),
  selection: shape({
    kind: oneOf('selection'),
    path,
    name: path,
    fromLine: integer(0),
    toLine: integer(0),
    text: words,
  }),
  image: shape({ kind: oneOf('image'), name: path, mimeType: id, data: words }),
  audio: shape({ kind: oneOf('audio'), name: path, mimeType: id, data: words }),
};

/** Lets in what can be attached to a prompt. */
export const attachment: Guard<Attachment> = (value) => {
  const { kind } = asObject(value);
  if (typeof kind !== 'string' || !Object.hasOwn(ATTACHMENTS, kind)) return REFUSED;
  return ATTACHMENTS[kind as Attachment['kind']](value);
};

/** The type of an intent alone says it all. */
const bare = {};
const changes = { scope: changeScope, path: optional(path) };

type Extras<T extends Intent['type']> = Omit<Extract<Intent, { type: T }>, 'type'>;

/** One row for each intent with the guards of its fields; what has no row, or does not pass, reaches no handler. */
const INTENTS: { [T in Intent['type']]: { [K in keyof Extras<T>]-?: Guard<Extras<T>[K]> } } = {
  prompt: { text: words, attachments: list(attachment, MAX_ITEMS) },
  queueRemove: { id },
  queueEdit: { id, text: words },
  queueMove: { id, to: integer(0) },
  queueSendNow: { id },
  queueResume: bare,
  cancelTurn: bare,
  forceStop: bare,
  answerPermission: {
    requestId: id,
    optionId: id,
    reason: optional(words),
    keepAs: optional(oneOf<RuleScope>('session', 'workspace', 'user')),
  },
  allowFolder: { folder: path },
  openRules: bare,
  openChanges: changes,
  keepChanges: changes,
  revertChanges: changes,
  undoTurn: bare,
  redoTurn: bare,
  answerElicitation: {
    requestId: id,
    action: oneOf('accept', 'decline', 'cancel'),
    content: optional(
      record(either(either(words, finite), either(flag, list(words, MAX_ITEMS))), {
        fields: MAX_ITEMS,
        name: MAX_ID,
      }),
    ),
  },
  setConfig: { id, value: either(id, flag) },
  selectAgent: { id: either(id, nothing) },
  newSession: bare,
  useAgent: { id },
  addAgent: bare,
  setUpModel: bare,
  useModel: { from: oneOf<ModelSource>('ollama', 'editor') },
  openFolder: bare,
  manageTrust: bare,
  openWalkthrough: bare,
  listSessions: bare,
  showSession: { key: id },
  closeSession: { key: id },
  deleteSession: { key: id },
  restartAgent: bare,
  authenticate: { methodId: id },
  logout: bare,
  stopTerminal: { terminalId: id },
  openTerminal: { terminalId: id },
  openFile: { path, line: optional(integer(0)) },
  openText: { text: words, language: optional(id) },
  openImage: { data: words },
  insertCode: { text: words },
  applyCode: { text: words, info: words },
  openDiff: { ref: path },
  openLink: { href: path },
  copy: { text: words },
  showLog: bare,
  diagnose: bare,
  openSettings: bare,
  dismissBanner: bare,
};

/** Lets in what a person can ask for. */
export const intent: Guard<Intent> = (value) => {
  if (!isObject(value)) return REFUSED;
  const { type } = value;
  if (typeof type !== 'string' || !Object.hasOwn(INTENTS, type)) return REFUSED;
  const known = type as Intent['type'];
  const fields = shape<object>(INTENTS[known])(value);
  return fields === REFUSED ? REFUSED : ({ type: known, ...fields } as Intent);
};
