import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../../core/chat/attachment';
import { keepStart, MAX_ADDED } from '../../../core/chat/addedText';
import { asObject } from '../../../core/json';
import { exists } from './attachFiles';

/** The part of a repository of the built-in git extension (interface version 1) that is used. */
interface Repository {
  /** @param cached of what is staged */
  diff(cached?: boolean): Promise<string>;
  diffWithHEAD(path: string): Promise<string>;
  diffIndexWithHEAD(path: string): Promise<string>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { getRepository(uri: vscode.Uri): Repository | null };
}

/** A file that source control lists. */
interface Changed {
  uri: vscode.Uri;
  staged: boolean;
}

/** Most files whose changes are read one by one. */
const MAX_FILES = 50;

/** The value of `resourceGroupType` of a staged file, and the id of the group of these. */
const INDEX = { type: 1, id: 'index' } as const;

/**
 * What the menus of source control name as attachments: rows as files with their changes, a group as its changes alone. Rejects with a
 * sentence where there is nothing to attach.
 */
export async function changesAttachments(named: readonly unknown[]): Promise<Attachment[]> {
  const groups = named.filter(isGroup);
  const rows = named.flatMap((item) => changedOf(item) ?? []);
  const attachments = [
    ...(await Promise.all(groups.map(groupAttachments))).flat(),
    ...(rows.length > 0 ? await rowAttachments(rows) : []),
  ];
  if (attachments.length === 0) throw new Error(vscode.l10n.t('Git has no changes here to attach.'));
  return attachments;
}

async function rowAttachments(rows: readonly Changed[]): Promise<Attachment[]> {
  const paths = [...new Set(rows.map(({ uri }) => uri.fsPath))];
  const files = await Promise.all(
    paths.map(async (path): Promise<Attachment[]> =>
      (await exists(vscode.Uri.file(path))) ? [{ kind: 'file', path, name: basename(path) }] : [],
    ),
  );
  return [...files.flat(), ...textOf(nameOf(paths), await diffsOf(rows))];
}

async function groupAttachments(group: vscode.SourceControlResourceGroup): Promise<Attachment[]> {
  const staged = group.id === INDEX.id;
  const rows = group.resourceStates.flatMap((state) => changedOf(state) ?? []);
  const [first] = rows;
  if (!first) return [];
  const name = vscode.l10n.t('Changes: {0}', group.label);
  const whole = staged || group.id === 'workingTree';
  // One call for all files, where git names them as the group does.
  const diff = whole ? await repositoryOf(first.uri)?.diff(staged) : await diffsOf(rows);
  if (diff?.trim()) return textOf(name, diff);
  return rowAttachments(rows.slice(0, MAX_FILES));
}

/** The diffs of files, until there is enough of them. */
async function diffsOf(rows: readonly Changed[]): Promise<string> {
  const diffs: string[] = [];
  let size = 0;
  for (const { uri, staged } of rows.slice(0, MAX_FILES)) {
    if (size > MAX_ADDED) break;
    const repository = repositoryOf(uri);
    const diff = await (staged
      ? repository?.diffIndexWithHEAD(uri.fsPath)
      : repository?.diffWithHEAD(uri.fsPath));
    if (diff?.trim()) diffs.push(diff.trimEnd());
    size += diff?.length ?? 0;
  }
  return [...new Set(diffs)].join('\n\n');
}

function textOf(name: string, diff: string): Attachment[] {
  return diff.trim() === '' ? [] : [{ kind: 'text', name, text: keepStart(diff) }];
}

function nameOf(paths: readonly string[]): string {
  return paths.length === 1
    ? vscode.l10n.t('Changes of {0}', basename(paths[0] ?? ''))
    : vscode.l10n.t('Changes of {0} files', paths.length);
}

function repositoryOf(uri: vscode.Uri): Repository | undefined {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension?.isActive || !extension.exports.enabled) return undefined;
  return extension.exports.getAPI(1).getRepository(uri) ?? undefined;
}

function changedOf(value: unknown): Changed | undefined {
  const { resourceUri, resourceGroupType } = asObject(value);
  if (!(resourceUri instanceof vscode.Uri) || resourceUri.scheme !== 'file') return undefined;
  return { uri: resourceUri, staged: resourceGroupType === INDEX.type };
}

function isGroup(value: unknown): value is vscode.SourceControlResourceGroup {
  return Array.isArray(asObject(value)['resourceStates']);
}
