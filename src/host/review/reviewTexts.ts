import { basename } from 'node:path';
import * as vscode from 'vscode';
import { countPlans } from '../../core/review/plan';
import type { PlannedFile, Purpose, Remark, Trouble } from './reviewPorts';

const { t } = vscode.l10n;

/** Files that are named in one message. */
const MAX_NAMED = 5;

/** The question before files are changed, with what happens to them. */
export function question(
  purpose: Purpose,
  files: readonly PlannedFile[],
): { title: string; detail: string; yes: string } {
  const counts = countPlans(files.map(({ plan }) => plan));
  const { restored, merged, created, deleted, conflicts, stuck } = counts;
  const lines = [
    restored > 0 && t('Get exactly their earlier text: {0}', restored),
    merged > 0 && t('Changed since, and those changes stay: {0}', merged),
    created > 0 && t('Come back: {0}', created),
    deleted > 0 && t('Deleted, as the agent made them: {0}', deleted),
    conflicts > 0 && t('Changed since at the same places, so you are asked for each: {0}', conflicts),
    stuck > 0 && t('Left as they are, as nothing can be taken back: {0}', stuck),
  ];
  const count = restored + merged + created + deleted + conflicts;
  return {
    ...heading(purpose, count),
    detail: lines.filter((line) => line !== false).join('\n'),
  };
}

function heading(purpose: Purpose, count: number): { title: string; yes: string } {
  const one = count === 1;
  switch (purpose) {
    case 'revert':
      return { title: one ? t('Revert 1 file?') : t('Revert {0} files?', count), yes: t('Revert') };
    case 'undo':
      return {
        title: one ? t('Undo the turn in 1 file?') : t('Undo the turn in {0} files?', count),
        yes: t('Undo'),
      };
    case 'redo':
      return {
        title: one ? t('Redo the turn in 1 file?') : t('Redo the turn in {0} files?', count),
        yes: t('Redo'),
      };
  }
}

export function remarkText(remark: Remark): string {
  switch (remark) {
    case 'nothingToReview':
      return t('Nothing to review.');
    case 'nothingToUndo':
      return t('There is no turn to undo.');
    case 'nothingToRedo':
      return t('There is nothing to redo.');
    case 'turnRuns':
      return t('A turn is running. Stop the turn first.');
    case 'notAChange':
      return t('There is no change of an agent at this place.');
    case 'asBefore':
      return t('The files are already as they were before.');
    case 'changedMeanwhile':
      return t('Files were changed meanwhile. This is what would happen now.');
  }
}

/** One sentence for each file that was left alone. */
export function problemText(problems: readonly { path: string; reason: Trouble }[]): string {
  const named = problems.slice(0, MAX_NAMED).map(({ path, reason }) => troubleText(basename(path), reason));
  const more = problems.length - named.length;
  if (more > 0) named.push(t('And {0} more.', more));
  return [t('Some files were left as they are.'), ...named].join(' ');
}

function troubleText(name: string, reason: Trouble): string {
  switch (reason) {
    case 'unknown':
      return t('{0}: its earlier text was not kept.', name);
    case 'binary':
      return t('{0}: it is no text, and was changed since.', name);
    case 'unreadable':
      return t('{0}: it can not be read as it stands now. Save it if it is open, and try again.', name);
    case 'changed':
      return t('{0}: it was changed just now. Try again.', name);
    case 'outside':
      return t('{0}: its path leads out of the folders of the session.', name);
    default:
      return t('{0}: it could not be written ({1}).', name, reason.refused);
  }
}
