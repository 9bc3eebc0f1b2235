import { visibleText } from '../../core/visibleText';
import { namesBelow, shownPath, type Workspace } from '../access/paths';
import type { PermissionScope } from './tool';

/** Folders whose files make programs run, so that a change of one is as good as a command. */
const ACTS = new Set(['.git', '.vscode', '.idea', '.husky', '.github', '.devcontainer']);

/** All changes of files in the session, but for those that make programs run: each of them is a thing of its own. */
export async function editScope(workspace: Workspace, path: string): Promise<PermissionScope> {
  const names = await namesBelow(workspace, path);
  if (!names.some((name) => ACTS.has(plainName(name))))
    return { key: 'edits', alwaysName: 'Always allow edits in this session' };
  return {
    key: `edits:${path}`,
    alwaysName: `Always allow edits of ${visibleText(shownPath(workspace, path))} in this session`,
  };
}

/** Without what Windows takes for no part of a name. */
function plainName(name: string): string {
  return name
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}

/** One command line: "always" never allows another one. */
export function commandScope(command: string): PermissionScope {
  return { key: `command:${command}`, alwaysName: 'Always allow this command in this session' };
}

/** All pages of one host. A host of the local network is another thing than one outside, whatever its name. */
export function fetchScope(host: string, isLocal: boolean): PermissionScope {
  const where = isLocal ? ' (this machine or the local network)' : '';
  return {
    key: `fetch${isLocal ? '-local' : ''}:${host}`,
    alwaysName: `Always allow ${host}${where} in this session`,
  };
}
