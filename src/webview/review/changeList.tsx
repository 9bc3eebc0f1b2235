import type { ChangeScope } from '../../core/review/changes';
import { usePage, type Page } from '../page';
import { ActionButton } from './actionButton';
import { ChangeItem, type ChangeDeeds } from './changeItem';
import { canRevert, type ShownChanges } from './shownChanges';
import { useChangeKeys } from './useChangeKeys';

/** Rows that are drawn; a longer list is for the editor. */
const MAX_ROWS = 200;

const deedsOf = ({ act }: Page, scope: ChangeScope): ChangeDeeds => ({
  open: (path) => void act({ type: 'openChanges', scope, path }),
  keep: (path) => void act({ type: 'keepChanges', scope, path }),
  revert: (path) => void act({ type: 'revertChanges', scope, path }),
});

interface ScopeSwitchProps {
  scope: ChangeScope;
  choose: (scope: ChangeScope) => void;
}

function ScopeSwitch({ scope, choose }: ScopeSwitchProps) {
  const { t } = usePage();
  return (
    <div class="change-scope" role="group" aria-label={t('changesScope')}>
      {(['turn', 'session'] as const).map((which) => (
        <button
          key={which}
          type="button"
          data-scope={which}
          aria-pressed={which === scope}
          onClick={() => choose(which)}
        >
          {t(which === 'turn' ? 'changesTurn' : 'changesSession')}
        </button>
      ))}
    </div>
  );
}

interface ChangeListProps {
  shown: ShownChanges;
  chooseScope: (scope: ChangeScope) => void;
  /** Follows Escape. */
  leave: () => void;
}

/** The changed files, with what can be done with one of them or with all. */
export function ChangeList({ shown, chooseScope, leave }: ChangeListProps) {
  const page = usePage();
  const { t, act } = page;
  const { scope, files } = shown;
  const rows = files.slice(0, MAX_ROWS);
  const more = files.length - rows.length;
  const deeds = deedsOf(page, scope);
  const keys = useChangeKeys(rows, leave);
  return (
    <>
      {shown.both && <ScopeSwitch scope={scope} choose={chooseScope} />}
      <div class="change-scroll">
        <ul
          class="change-rows"
          aria-label={t('changes')}
          ref={keys.list}
          onKeyDown={keys.onKeyDown}
          onFocusCapture={keys.onFocusCapture}
          onBlurCapture={keys.onBlurCapture}
        >
          {rows.map((file) => (
            <ChangeItem
              key={file.path}
              file={file}
              active={file.path === keys.active}
              activate={keys.activate}
              deeds={deeds}
            />
          ))}
        </ul>
        {more > 0 && (
          <button type="button" class="change-more" onClick={() => void act({ type: 'openChanges', scope })}>
            <span class="dim nums">{t('changesMore', more)}</span> {t('changesReview')}
          </button>
        )}
      </div>
      <div class="change-foot">
        <ActionButton
          icon="discard"
          look="change-action"
          label={t('changesRevertAll')}
          text={t('changesRevertAll')}
          reason={canRevert(files) ? undefined : t('changeUnknownWhy')}
          onPress={() => void act({ type: 'revertChanges', scope })}
        />
      </div>
    </>
  );
}
