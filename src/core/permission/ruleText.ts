import { visibleText } from '../visibleText';
import type { PermissionRule } from './rules';

/**
 * A rule in a few words of no language, such as `npm test` or `edit src/**`; `=` before a command that nothing may follow,
 * `*` for one that matches everything. Safe to show.
 */
export function ruleText(rule: PermissionRule): string {
  const { agent, kind, command, tool, path } = rule;
  const words = [
    kind,
    rule.exact === true && command !== undefined ? `= ${command}` : command,
    tool,
    path,
  ].filter((word) => word !== undefined);
  const what = words.length > 0 ? words.join(' ') : '*';
  return visibleText(agent === undefined ? what : `${agent}: ${what}`).replaceAll(/\s*\n\s*/g, ' ⏎ ');
}
