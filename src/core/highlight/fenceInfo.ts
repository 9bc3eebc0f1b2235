/** What the first line of a fence says. */
export interface FenceInfo {
  /** As it is written; empty where there is none. */
  language: string;
  /** The file that the block is said to belong to. */
  path?: string;
}

/** One name with an ending or a folder, and nothing that a shell or a browser would make more of. */
const PATH =
  /^(?!\w{2,}:\/\/)(?:[A-Za-z]:)?[\w.@~+()[\]\\/-]*(?:[\\/][\w.@~+()[\]-]+|[\w@~+-]\.[A-Za-z]\w{0,9})$/;

const COMMENT =
  /^\s*(?:\/\/|#|--|;|%|\/\*|<!--)\s*(?:(?:file|path|filename)\s*:\s*)?(\S+?)\s*(?:\*\/|-->)?\s*$/i;

const looksLikePath = (word: string | undefined): word is string => word !== undefined && PATH.test(word);

/** The parts of an info string: `ts`, `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`, `10:20:src/a.ts`, `src/a.ts`. */
export function fenceInfo(info: string): FenceInfo {
  const [first = '', ...rest] = info.trim().split(/\s+/);
  const place = /^\d+:\d+:(.+)$/.exec(first)?.[1] ?? (/[\\/]/.test(first) ? first : '');
  if (looksLikePath(place)) return { language: endingOf(place), path: place };
  const [, language = '', path = ''] = /^([\w#+.-]+):(.+)$/.exec(first) ?? [];
  if (looksLikePath(path)) return { language, path };
  const file = [namedFile(info), ...rest].find(looksLikePath);
  return file === undefined ? { language: first } : { language: first, path: file };
}

/** The value of an attribute such as `title="a.ts"`. */
function namedFile(info: string): string | undefined {
  return /\b(?:title|file|filename|path)=(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(info)?.slice(1).find(Boolean);
}

/** The file that a comment in the first line of a code block names, and nothing else does. */
export function pathInCode(code: string): string | undefined {
  const path = COMMENT.exec(/^[^\n]*/.exec(code)?.[0] ?? '')?.[1];
  return path !== undefined && looksLikePath(path) ? path : undefined;
}

function endingOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1] ?? '';
}
