/** A real folder that is searched, or a file in one. */
export interface SearchPlace {
  /** Real path of the folder. */
  folder: string;
  /** Name of the one file in it that is searched; undefined: all that is below the folder. */
  file?: string | undefined;
}

/** Which files are looked at. */
export interface FileFilter {
  /** By the path below the folder, with slashes. */
  takes: (path: string) => boolean;
  /** A pattern of names that holds for all of them, by which others may be left out early. */
  names?: string | undefined;
}

/** Which lines are looked for. */
export interface LineQuery {
  text: string;
  regex: boolean;
  caseSensitive: boolean;
  /** How many lines around each match are given, too. */
  contextLines: number;
  filter: FileFilter;
}

export interface FoundLine {
  /** 1-based. */
  line: number;
  text: string;
  /** Where the match begins, in UTF-16 units; undefined for a line around a match. */
  at: number | undefined;
}

/** Lines of one file, in their order. */
export interface FoundLines {
  /** Below the folder, with slashes. */
  path: string;
  lines: readonly FoundLine[];
}

/**
 * Looks through the files of a folder in the order of their names. What `.gitignore` names is left out, as are the folders `.git` and
 * `node_modules`; links are not followed, as they may lead out or in circles. Both streams end, by a rejection, when the signal aborts.
 */
export interface FileSearch {
  /** Paths below the folder, with slashes. */
  files(place: SearchPlace, filter: FileFilter, signal: AbortSignal): AsyncIterable<string>;
  lines(place: SearchPlace, query: LineQuery, signal: AbortSignal): AsyncIterable<FoundLines>;
}

/** Folders that hold no text of the person's own. */
export const SKIPPED_FOLDERS: readonly string[] = ['.git', 'node_modules'];
