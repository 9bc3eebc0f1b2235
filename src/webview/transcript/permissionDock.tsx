import { openElicitations, openPermissions } from '../../core/session/select';
import type { SessionState } from '../../core/session/state';
import { usePage, usePart } from '../page';
import { Icon } from './icon';
import { subjectOf } from './question';
import { visibleText } from '../../core/visibleText';

interface Waiting {
  /** Id of its entry; they grow with time. */
  entryId: number;
  requestId: string;
  title: string;
  icon: string;
}

/** All that waits for the person, oldest first: permissions, forms and pages. */
function waitingIn(state: SessionState): Waiting[] {
  const permissions = openPermissions(state).map(({ entry, permission: { requestId } }): Waiting => {
    const title = entry.title || subjectOf(entry);
    return { entryId: entry.id, requestId, title, icon: 'shield' };
  });
  const forms = openElicitations(state).map(({ id, requestId, message, form, url }): Waiting => {
    const title = message.trim() || (form?.title ?? url ?? '');
    return { entryId: id, requestId, title, icon: form ? 'checklist' : 'link-external' };
  });
  return [...permissions, ...forms].sort((a, b) => a.entryId - b.entryId);
}

/** Brings a question on screen and puts the focus beside its answers, on none of them. */
function reveal(requestId: string): void {
  for (const card of document.querySelectorAll<HTMLElement>('[data-permission], [data-elicitation]')) {
    if ((card.dataset['permission'] ?? card.dataset['elicitation']) !== requestId) continue;
    card.scrollIntoView({ block: 'nearest' });
    card.focus({ preventScroll: true });
  }
}

/** Stands for an open question that is out of view. */
export function PermissionDock() {
  const { t, store, inView } = usePage();
  usePart('permissions');
  usePart('turn');
  const open = waitingIn(store.state);
  const hidden = open.filter(({ requestId }) => !inView.value.has(requestId));
  const [first] = hidden;
  // With one of them in view the rest is found from there.
  if (!first || hidden.length < open.length) return null;
  const title = visibleText(first.title).replace(/\s+/g, ' ');
  return (
    <button type="button" class="strip strip-head waiting-dock" onClick={() => reveal(first.requestId)}>
      <Icon name={first.icon} />
      <span class="cut grow">
        {hidden.length > 1 ? t('waitingForMore', title, hidden.length - 1) : t('waitingFor', title)}
      </span>
      <Icon name="arrow-down" />
    </button>
  );
}
