import * as vscode from 'vscode';
import { changesText } from '../../../core/chat/mentionsText';

/** The part of the built-in git extension's interface (version 1) that is used. */
interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    /** Absent in old versions. */
    readonly untrackedChanges?: readonly Change[];
  };
  /** @param cached of what is staged */
  diff(cached?: boolean): Promise<string>;
}

interface Change {
  readonly uri: vscode.Uri;
  readonly status: number;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly Repository[] };
}

/** The status of a file that git does not know. */
const UNTRACKED = 7;

function repositories(): readonly Repository[] {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension?.isActive || !extension.exports.enabled) return [];
  return extension.exports.getAPI(1).repositories;
}

function newFiles({ workingTreeChanges, untrackedChanges = [] }: Repository['state']): readonly Change[] {
  return [...untrackedChanges, ...workingTreeChanges.filter(({ status }) => status === UNTRACKED)];
}

/** True where the git extension knows of changes; it may still be starting, or be turned off. */
export function hasGitChanges(): boolean {
  return repositories().some(
    ({ state }) => state.indexChanges.length + state.workingTreeChanges.length + newFiles(state).length > 0,
  );
}

/** The changes of the repositories that the folders lie in, or that lie in them; of all without folders. Empty where there are none. */
export async function gitChanges(folders: readonly string[]): Promise<string> {
  const wanted = repositories().filter(
    ({ rootUri }) => folders.length === 0 || folders.some((folder) => isNested(rootUri.fsPath, folder)),
  );
  const changes = await Promise.all(
    wanted.map(async (repository) => {
      const [staged, unstaged] = await Promise.all([repository.diff(true), repository.diff(false)]);
      const untracked = newFiles(repository.state).map(({ uri }) => vscode.workspace.asRelativePath(uri));
      return { root: repository.rootUri.fsPath, staged, unstaged, untracked };
    }),
  );
  return changesText(changes);
}

/** True where one is the other or lies in it. */
function isNested(a: string, b: string): boolean {
  const [left, right] = [a, b].map((path) => `${path.replaceAll('\\', '/').replace(/\/$/, '')}/`);
  return left !== undefined && right !== undefined && (left.startsWith(right) || right.startsWith(left));
}
