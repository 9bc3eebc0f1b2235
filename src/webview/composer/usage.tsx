import { usePage, usePart } from '../page';
import { costText, usageLevel, usagePercent } from './usageLook';

/** How much of the context window is used, as a ring. */
export function Usage() {
  const { t, store } = usePage();
  usePart('usage');
  const { usage } = store.state;
  if (!usage) return null;
  const { used, size, cost } = usage;
  const percent = usagePercent(usage);
  const tokens =
    size > 0
      ? t('usageLabel', percent, used.toLocaleString(), size.toLocaleString())
      : t('usageUnknown', used.toLocaleString());
  const label = cost ? `${tokens} · ${t('usageCost', costText(cost))}` : tokens;
  return (
    <span
      class="usage"
      data-parley="usage"
      role="img"
      aria-label={label}
      title={label}
      data-level={usageLevel(usage)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle class="ring-rest" cx="8" cy="8" r="6" pathLength="100" />
        <circle class="ring-used" cx="8" cy="8" r="6" pathLength="100" stroke-dasharray={`${percent} 100`} />
      </svg>
    </span>
  );
}
