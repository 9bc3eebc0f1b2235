/** What is looked for: finds every place in a text. */
export interface Matcher {
  /** The places of a text, in order, none empty. */
  places(text: string): { from: number; to: number }[];
  /** False where a Markdown text can't show what is looked for, whatever its markup. */
  mayShow(source: string): boolean;
}

/** Makes the matcher of a query; undefined where there is nothing to look for. White space matches any other white space. */
export function createMatcher(query: string, matchCase: boolean): Matcher | undefined {
  if (query.trim() === '') return undefined;
  const flags = matchCase ? 'u' : 'iu';
  const pattern = new RegExp(escaped(query).replace(/\s+/g, '\\s+'), `g${flags}`);
  const longest = (query.match(/[\p{L}\p{N}]+/gu) ?? []).reduce(
    (best, word) => (word.length > best.length ? word : best),
    '',
  );
  const word = new RegExp(longest, flags);
  return {
    places: (text) =>
      Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
        from: index,
        to: index + found.length,
      })),
    mayShow: (source) => word.test(source) || CODED.test(source) || word.test(withoutMarkup(source)),
  };
}

/** Letters that a source writes in another way: as entities, and as codes in addresses. */
const CODED = /&#?\w+;|%[\da-f]{2}|xn--/iu;
/** What may stand within a word and is not shown: the place of a link, and signs. */
const MARKUP = /\]\((?:[^()\n]|\([^()\n]*\))*\)|\]\[[^\]\n]*\]|[*_~`\\[\]<>$!]+/gu;

const withoutMarkup = (source: string): string => source.replace(MARKUP, '');

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
