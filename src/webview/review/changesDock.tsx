import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isBusy } from '../../core/session/select';
import { useOpen, usePage, usePart, type Page } from '../page';
import { DiffCount } from '../transcript/diff';
import { Chevron, Icon } from '../transcript/icon';
import { ActionButton } from './actionButton';
import { ChangeList } from './changeList';
import { useKeptFocus } from './keptFocus';
import { shownChanges, totalLines, type ShownChanges } from './shownChanges';

/** How many files were changed, in words. */
export function filesChanged(t: Page['t'], count: number): string {
  return count === 1 ? t('changesOne') : t('changesMany', count);
}

/** Takes the newest turn back, or the taking back. */
function UndoButton({ turn }: Pick<ShownChanges, 'turn'>) {
  const { t, act, store } = usePage();
  usePart('turn');
  if (turn === 'none') return null;
  const undone = turn === 'undone';
  const label = t(undone ? 'changesRedo' : 'changesUndo');
  const why = turn === 'unknown' ? t('changeUnknownWhy') : undefined;
  return (
    <ActionButton
      icon={undone ? 'redo' : 'discard'}
      look="change-action"
      label={label}
      text={label}
      reason={isBusy(store.state) ? t('changesBusy') : why}
      onPress={() => void act({ type: undone ? 'redoTurn' : 'undoTurn' })}
    />
  );
}

function HeadActions({ shown }: { shown: ShownChanges }) {
  const { t, act } = usePage();
  const { scope, files, turn } = shown;
  return (
    <span class="change-head-actions">
      {files.length > 0 && (
        <>
          <ActionButton
            icon="diff-multiple"
            look="change-action main"
            label={t('changesReviewAll')}
            text={t('changesReview')}
            onPress={() => void act({ type: 'openChanges', scope })}
          />
          <ActionButton
            icon="check-all"
            look="change-action"
            label={t('changesKeepAll')}
            text={t('changesKeepAll')}
            onPress={() => void act({ type: 'keepChanges', scope })}
          />
        </>
      )}
      <UndoButton key="undo" turn={turn} />
    </span>
  );
}

/** The line that is always there. */
function Summary({ shown }: { shown: ShownChanges }) {
  const { t } = usePage();
  const { files, turn, both, scope } = shown;
  const undone = turn === 'undone';
  const words = [
    ...(undone ? [t('changesUndone')] : []),
    ...(files.length > 0 ? [filesChanged(t, files.length)] : []),
    ...(both && scope === 'turn' ? [t('changesTurn')] : []),
  ];
  return (
    <>
      <span class="cut nums">{words.join(' · ')}</span>
      <DiffCount diff={totalLines(files)} />
    </>
  );
}

/** Where the focus goes when what had it is gone: to the head of the list, else to the composer. */
function useFocusFallback(page: Page, head: RefObject<HTMLElement | null>) {
  const focus = useKeptFocus();
  useLayoutEffect(() => {
    if (!focus.isLost()) return;
    if (head.current) head.current.focus();
    else page.focusComposer.value++;
  });
  return focus;
}

/** The files that the agent changed and that wait for a review, above the composer; nothing is drawn where there are none. */
export function ChangesDock() {
  const page = usePage();
  const { t, store } = page;
  usePart('changes');
  const [open, setOpen] = useOpen('changes', false);
  const [turnChosen, chooseTurn] = useOpen('changes of the turn', false);
  const head = useRef<HTMLButtonElement>(null);
  const focus = useFocusFallback(page, head);
  const shown = shownChanges(store.state.changes, turnChosen);
  if (!shown) return null;
  const listed = shown.files.length > 0;
  return (
    <section
      class="strip changes"
      data-parley="changes"
      data-scope={shown.scope}
      data-undone={shown.turn === 'undone'}
      aria-label={t('changes')}
      onFocusCapture={focus.onFocusCapture}
      onBlurCapture={focus.onBlurCapture}
    >
      <div class="change-head">
        {listed ? (
          <button
            type="button"
            class="strip-head dim"
            aria-expanded={open}
            ref={head}
            onClick={() => setOpen(!open)}
          >
            <Chevron open={open} />
            <Summary shown={shown} />
          </button>
        ) : (
          <span class="strip-head dim">
            <Icon name="history" />
            <Summary shown={shown} />
          </span>
        )}
        <HeadActions shown={shown} />
      </div>
      {listed && open && (
        <ChangeList
          shown={shown}
          chooseScope={(scope) => chooseTurn(scope === 'turn')}
          leave={() => head.current?.focus()}
        />
      )}
    </section>
  );
}
