import { openElicitations } from '../../core/session/select';
import { visibleText } from '../../core/visibleText';
import { usePage, usePart } from '../page';
import { Icon } from './icon';
import { revealQuestion } from './reveal';

/** Stands for an open form or page that is out of view. */
export function ElicitationDock() {
  const page = usePage();
  const { t, store, inView } = page;
  usePart('permissions');
  usePart('turn');
  const open = openElicitations(store.state);
  const hidden = open.filter(({ requestId }) => !inView.value.has(requestId));
  const [first] = hidden;
  // With one of them in view the rest is found from there.
  if (!first || hidden.length < open.length) return null;
  const { requestId, message, form, url } = first;
  const title = visibleText(message.trim() || (form?.title ?? url ?? '')).replace(/\s+/g, ' ');
  return (
    <button
      type="button"
      class="strip strip-head waiting-dock"
      onClick={() => revealQuestion(page, requestId)}
    >
      <Icon name={form ? 'checklist' : 'link-external'} />
      <span class="cut grow">
        {hidden.length > 1 ? t('waitingForMore', title, hidden.length - 1) : t('waitingFor', title)}
      </span>
      <Icon name="arrow-down" />
    </button>
  );
}
