import { asList } from '../json';
import { fileUri } from './contentBlocks';

/** Most files that one drop attaches. */
export const MAX_DROPPED = 100;

/** The kinds of data of a drag that name files; the editor's own come first, since they name files of a remote machine as well. */
export const FILE_TYPES = [
  'application/vnd.code.uri-list',
  'resourceurls',
  'text/uri-list',
  'codefiles',
] as const;

/** The addresses of the files that a drag names, once each. `read` gives the data of a kind, empty where there is none. */
export function droppedUris(read: (type: string) => string): string[] {
  for (const type of FILE_TYPES) {
    const uris = urisOf(type, read(type)).filter(isFileUri);
    if (uris.length > 0) return [...new Set(uris)];
  }
  return [];
}

/** True for the address of a file of this machine, or of the machine that the extension runs on. */
export function isFileUri(uri: string): boolean {
  return /^(file|vscode-remote):\/\//i.test(uri);
}

function urisOf(type: (typeof FILE_TYPES)[number], data: string): string[] {
  if (type === 'resourceurls') return listOf(data);
  if (type === 'codefiles') return listOf(data).map(fileUri);
  const lines = data.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function listOf(data: string): string[] {
  try {
    return asList(JSON.parse(data)).filter((item) => typeof item === 'string');
  } catch {
    return []; // Of another program that uses the same name.
  }
}
