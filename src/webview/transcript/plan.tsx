import type { PlanItem } from '../../core/session/state';
import { planProgress } from '../../core/session/select';
import { useEntry, useOpen, usePage, usePart, type Page } from '../page';
import { Chevron, Icon } from './icon';

function markOf(status: string, t: Page['t']) {
  if (status === 'completed') return <Icon name="pass-filled" label={t('planDone')} tone="ok" />;
  if (status === 'in_progress')
    return <Icon name="circle-large-filled" label={t('planActive')} tone="active" />;
  return <Icon name="circle-large" label={t('planPending')} tone="dim" />;
}

/** A line of an agent, in which text between backticks is code; nothing else is marked up. */
function InlineCode({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/`([^`]+)`/)
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </>
  );
}

function PlanItems({ items }: { items: readonly PlanItem[] }) {
  const { t } = usePage();
  return (
    <ul class="plan-items">
      {items.map((item, index) => (
        <li key={index} data-plan-status={item.status} data-priority={item.priority}>
          {markOf(item.status, t)}
          <span dir="auto">
            <InlineCode text={item.content} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The plan that is being worked on, above the composer. */
export function PlanDock() {
  const { t, store } = usePage();
  usePart('plan');
  const [open, setOpen] = useOpen('plan', true);
  const { plan } = store.state;
  if (plan.length === 0) return null;
  const { done, total } = planProgress(store.state);
  const active = plan.find((item) => item.status === 'in_progress');
  return (
    <section class="strip" data-parley="plan" aria-label={t('plan')}>
      <div
        class="bar"
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-label={t('plan')}
      >
        <span style={{ width: `${(done / total) * 100}%` }} />
      </div>
      <button type="button" class="strip-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron open={open} />
        <span>
          {t('plan')} <span class="dim nums">{t('planProgress', done, total)}</span>
        </span>
        {!open && active && <span class="cut dim grow">{active.content.replaceAll('`', '')}</span>}
      </button>
      {open && <PlanItems items={plan} />}
    </section>
  );
}

/** A plan that was finished, in the conversation. */
export function FinishedPlan({ id }: { id: number }) {
  const { t } = usePage();
  const entry = useEntry(id, 'plan');
  const [open, setOpen] = useOpen(`plan:${id}`, false);
  if (!entry) return null;
  return (
    <div class="entry" data-entry="plan" data-entry-id={id} role="group" aria-label={t('planFinished')}>
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron open={open} />
        {t('planFinished')}{' '}
        <span class="nums">{t('planProgress', entry.items.length, entry.items.length)}</span>
      </button>
      {open && <PlanItems items={entry.items} />}
    </div>
  );
}
