import { ruleText } from '../../core/permission/ruleText';
import type { PermissionRule } from '../../core/permission/rules';
import { visibleText } from '../../core/visibleText';
import type { QuestionTopic } from './toolCallInFull';

/** UTF-16 units of the title of a quick pick. */
const LONGEST_TITLE = 120;

/** What will happen: the command with its folder, the address, the paths, else what the agent calls it. Plain text of one line. */
export function happens({ title, command, cwd, paths, url }: QuestionTopic): string {
  if (command !== undefined) return oneLine(cwd === undefined ? command : `${command} — ${cwd}`);
  if (url !== undefined) return oneLine(url);
  return oneLine(paths.length > 0 ? paths.join(', ') : title);
}

/** The same, cut in the middle where it would not fit. */
export function questionTitle(topic: QuestionTopic): string {
  const text = happens(topic);
  if (text.length <= LONGEST_TITLE) return text;
  const half = LONGEST_TITLE / 2 - 2;
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  return `${head} … ${text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** Label and detail of the row that says what is asked: the agent's words, then all of what will happen. */
export function questionRow(topic: QuestionTopic): { label: string; detail?: string } {
  const what = happens(topic);
  const label = oneLine(topic.title) || what;
  return what === label ? { label: noIcons(label) } : { label: noIcons(label), detail: noIcons(what) };
}

/** The rules that are offered, as a row; undefined where not all of them would be seen in it. */
export function rulesRow(rules: readonly PermissionRule[]): string | undefined {
  const text = rules.map((rule) => oneLine(ruleText(rule))).join('; ');
  return text === '' || text.length > LONGEST_TITLE ? undefined : noIcons(text);
}

/** Text of an agent in one line: nothing that hides, reorders or breaks it. */
export function oneLine(text: string): string {
  // One pattern for a line end with its blanks would take long for a long row of blanks.
  const lines = text.split(/[\n\r]/).map((line) => line.trim());
  return visibleText(lines.filter((line) => line !== '').join(' ⏎ '));
}

/** For rows and status bar items, where `$(name)` would be an icon. */
export function noIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}
