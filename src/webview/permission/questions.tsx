import { openPermissions } from '../../core/session/select';
import { usePage, usePart } from '../page';
import { QuestionCard } from './questionCard';
import { useArrival } from './useArrival';

/**
 * The open permissions of the session that is shown, oldest first, pinned above the composer: nothing scrolls them away, and each goes
 * the moment it is answered (PE-3, PE-8). `hidden` keeps what was typed in them.
 */
export function Questions({ hidden }: { hidden: boolean }) {
  const { t, store } = usePage();
  usePart('permissions');
  usePart('turn');
  const open = useArrival(openPermissions(store.state), ({ permission }) => permission.requestId);
  if (open.length === 0) return null;
  return (
    <section class="questions" data-parley="questions" aria-label={t('questionsLabel')} hidden={hidden}>
      <div class="questions-list">
        {open.map(({ entry, permission }, index) => (
          <QuestionCard
            key={permission.requestId}
            entry={entry}
            version={entry.version}
            permission={permission}
            index={index}
            count={open.length}
          />
        ))}
      </div>
    </section>
  );
}
