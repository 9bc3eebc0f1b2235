import { plainSource } from './plainSource';

/** Largest source that is drawn unasked, in lines or statements and characters, and most connections that it may seem to have. */
const UNASKED = { lines: 60, characters: 4_096, connections: 60 };

/** Kinds whose size is in a number of their source, and not in its length. */
const GROWS_BY_NUMBERS =
  /^[ \t]*(?:(?:block|packet|radar)(?:-beta)?(?=\s|$)(?![ \t]*[-=.~&<])|excludes\s|tickInterval\s)/im;

/**
 * True for a diagram that is drawn at once. Its layout can't be interrupted and its cost grows faster than its size, so a larger one
 * waits for the person. Looks at the text alone, in a time that grows with its length.
 */
export function isSmallDiagram(source: string): boolean {
  if (source.length > UNASKED.characters || GROWS_BY_NUMBERS.test(plainSource(source))) return false;
  const lines = source.trimEnd().split(/[\n;]/).length;
  const connections = source.match(/[-=.~]{2,}|->|&/g)?.length ?? 0;
  return lines <= UNASKED.lines && connections <= UNASKED.connections;
}
