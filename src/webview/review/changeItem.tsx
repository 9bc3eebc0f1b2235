import type { PageString } from '../../core/chat/strings';
import type { ChangedFileView } from '../../core/review/changes';
import { visibleText } from '../../core/visibleText';
import { usePage, type Page } from '../page';
import { DiffCount, linesAdded, linesRemoved } from '../transcript/diff';
import { ActionButton } from './actionButton';

const CHANGES: Readonly<Record<ChangedFileView['change'], { letter: string; word: PageString }>> = {
  added: { letter: 'A', word: 'changeAdded' },
  modified: { letter: 'M', word: 'changeModified' },
  deleted: { letter: 'D', word: 'changeDeleted' },
};

const oneLine = (text: string): string => visibleText(text.replace(/\s/g, ' '));

/** What there is to know of a file beside its lines. */
function notesOf({ special, shared }: ChangedFileView, t: Page['t']): string[] {
  return [
    ...(special === 'unknown' ? [t('changeUnknown')] : []),
    ...(special === 'binary' ? [t('changeBinary')] : []),
    ...(shared ? [t('changeShared')] : []),
  ];
}

/** The whole row as it is read out. */
function spoken(file: ChangedFileView, t: Page['t']): string {
  const { added, removed } = file;
  const counts = [
    ...(added > 0 ? [linesAdded(t, added)] : []),
    ...(removed > 0 ? [linesRemoved(t, removed)] : []),
  ];
  return [oneLine(file.name), t(CHANGES[file.change].word), ...counts, ...notesOf(file, t)].join(', ');
}

/** A path that loses its middle where it does not fit; the file's name wraps instead. */
function FileName({ name }: { name: string }) {
  const at = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
  const folder = name.slice(0, Math.max(at, 0));
  return (
    <span class="change-name" dir="ltr">
      {folder !== '' && (
        <bdi dir="ltr" class={`change-folder dim${folder.length > 3 ? ' long' : ''}`}>
          {oneLine(folder)}
        </bdi>
      )}
      {at >= 0 && <span class="dim">{name[at]}</span>}
      <bdi dir="ltr" class="change-file">
        {oneLine(name.slice(at + 1))}
      </bdi>
    </span>
  );
}

function Notes({ file }: { file: ChangedFileView }) {
  const { t } = usePage();
  const notes = notesOf(file, t);
  if (notes.length === 0) return null;
  const hints = [
    ...(file.special === 'unknown' ? [t('changeUnknownWhy')] : []),
    ...(file.shared ? [t('changeSharedWhy')] : []),
  ];
  return (
    <span class="change-notes dim" title={hints.join('\n')}>
      {notes.join(' · ')}
    </span>
  );
}

/** What a person can do with a changed file. */
export interface ChangeDeeds {
  open: (path: string) => void;
  keep: (path: string) => void;
  revert: (path: string) => void;
}

interface ChangeItemProps {
  file: ChangedFileView;
  /** True for the one row that Tab reaches; arrow keys lead to the others. */
  active: boolean;
  activate: (path: string) => void;
  deeds: ChangeDeeds;
}

/** A changed file, with what can be done with it. */
export function ChangeItem({ file, active, activate, deeds }: ChangeItemProps) {
  const { t } = usePage();
  const { path, change } = file;
  const name = oneLine(file.name);
  const { letter, word } = CHANGES[change];
  return (
    <li class="change" data-path={path} data-change={change} onFocusCapture={() => activate(path)}>
      <button
        type="button"
        class="change-main"
        aria-label={spoken(file, t)}
        tabIndex={active ? 0 : -1}
        onClick={() => deeds.open(path)}
      >
        <span class="change-letter" title={t(word)}>
          {letter}
        </span>
        <span class="change-what" title={oneLine(path)}>
          <FileName name={file.name} />
        </span>
        <span class="change-count">
          <DiffCount diff={file} />
        </span>
        <Notes file={file} />
      </button>
      <span class="change-actions">
        <ActionButton
          icon="check"
          look="icon"
          label={t('changeKeep', name)}
          reachable={active}
          onPress={() => deeds.keep(path)}
        />
        <ActionButton
          icon="discard"
          look="icon"
          label={t('changeRevert', name)}
          reachable={active}
          reason={file.special === 'unknown' ? t('changeUnknownWhy') : undefined}
          onPress={() => deeds.revert(path)}
        />
      </span>
    </li>
  );
}
