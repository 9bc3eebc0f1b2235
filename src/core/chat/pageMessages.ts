import { highlightFields } from '../highlight/messages';
import { asList, asObject, asString, isObject } from '../json';
import type { Attachment } from './attachment';
import { flag, integer, oneOf, REFUSED, shape, text, type Guard } from './guards';
import { attachment, intent, MAX_ID } from './intentGuards';
import type { MentionSource, SymbolPlace } from './mentions';
import type { Draft, PageToHost } from './protocol';
import { isFileUri, MAX_DROPPED } from './uriList';

/** Longest part of a name that is searched, in UTF-16 units. */
const MAX_QUERY = 200;
/** Longest report of a failure that is kept, in UTF-16 units. */
const MAX_REPORT = 4_000;
/** Longest path, in UTF-16 units. */
const MAX_PATH = 65_536;

const key = text(MAX_ID);
const id = integer(0);

/** A text that is cut where it is too long. */
const cut =
  (max: number): Guard<string> =>
  (value) =>
    typeof value === 'string' ? value.slice(0, max) : REFUSED;

const source = oneOf<MentionSource>('selection', 'problems', 'fileProblems', 'changes', 'terminal');

const symbol = shape<SymbolPlace>({
  path: text(MAX_PATH),
  name: text(MAX_ID),
  line: integer(1),
  column: integer(1),
});

const mention: Guard<MentionSource | SymbolPlace> = (value) =>
  isObject(value) ? symbol(value) : source(value);

const dropped: Guard<string[]> = (value) => {
  const uris = asList(value).filter((uri) => typeof uri === 'string' && uri.length <= MAX_PATH) as string[];
  const named = uris.filter(isFileUri).slice(0, MAX_DROPPED);
  return named.length > 0 ? named : REFUSED;
};

type Extras<T extends PageToHost['type']> = Omit<Extract<PageToHost, { type: T }>, 'type'>;

/** One row for each message of the page with the guards of its fields. */
const MESSAGES: { [T in PageToHost['type']]: { [K in keyof Extras<T>]-?: Guard<Extras<T>[K]> } } = {
  ready: { protocol: cut(MAX_QUERY) },
  resync: {},
  focused: {},
  failed: { report: cut(MAX_REPORT) },
  draft: { key, draft: (value) => readDraft(value) },
  draftText: { key, text: text(Infinity) },
  painted: { id },
  readPicture: { key, path: text(MAX_PATH) },
  findMentions: { id, query: cut(MAX_QUERY) },
  lookAround: { anew: flag },
  lookForModels: {},
  takeMention: { id, key, source: mention },
  takeDropped: { id, key, uris: dropped },
  highlight: highlightFields,
  intent: { id, intent },
};

/** Narrows a message from the page; undefined for anything that is not one. It never throws. */
export function readPageMessage(value: unknown): PageToHost | undefined {
  if (!isObject(value)) return undefined;
  const { type } = value;
  if (typeof type !== 'string' || !Object.hasOwn(MESSAGES, type)) return undefined;
  const known = type as PageToHost['type'];
  const fields = shape<object>(MESSAGES[known])(value);
  return fields === REFUSED ? undefined : ({ type: known, ...fields } as PageToHost);
}

/** A draft from the page or from a file; anything else gives an empty one. */
export function readDraft(value: unknown): Draft {
  const draft = asObject(value);
  const attachments = asList(draft['attachments']).map(attachment);
  return {
    text: asString(draft['text']) ?? '',
    attachments: attachments.filter((item): item is Attachment => item !== REFUSED),
  };
}
