import { openPermissions } from '../../core/session/select';
import { usePage, usePart } from '../page';
import { Icon } from './icon';
import { subjectOf } from './question';
import { visibleText } from '../../core/visibleText';

/** Brings a question on screen and puts the focus beside its answers, on none of them. */
function reveal(requestId: string): void {
  for (const card of document.querySelectorAll<HTMLElement>('[data-permission]')) {
    if (card.dataset['permission'] !== requestId) continue;
    card.scrollIntoView({ block: 'nearest' });
    card.focus({ preventScroll: true });
  }
}

/** Stands for an open question that is out of view. */
export function PermissionDock() {
  const { t, store, inView } = usePage();
  usePart('permissions');
  usePart('turn');
  const open = openPermissions(store.state);
  const hidden = open.filter(({ permission }) => !inView.value.has(permission.requestId));
  const [first] = hidden;
  // With one of them in view the rest is found from there.
  if (!first || hidden.length < open.length) return null;
  const title = visibleText(first.entry.title || subjectOf(first.entry));
  return (
    <button
      type="button"
      class="strip strip-head waiting-dock"
      onClick={() => reveal(first.permission.requestId)}
    >
      <Icon name="shield" />
      <span class="cut grow">
        {hidden.length > 1 ? t('waitingForMore', title, hidden.length - 1) : t('waitingFor', title)}
      </span>
      <Icon name="arrow-down" />
    </button>
  );
}
