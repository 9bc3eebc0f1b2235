import type { PermissionScope } from './tool';

/** All changes of files in the session. */
export const EDITS: PermissionScope = { key: 'edits', alwaysName: 'Always allow edits in this session' };

/** One command line: "always" never allows another one. */
export function commandScope(command: string): PermissionScope {
  return { key: `command:${command}`, alwaysName: 'Always allow this command in this session' };
}
