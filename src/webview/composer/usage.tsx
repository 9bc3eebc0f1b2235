import { useEffect, useRef, useState } from 'preact/hooks';
import type { UsageView } from '../../core/session/state';
import { usePage, usePart } from '../page';
import { useOutsidePress } from './outsidePress';
import { costText, usageLevel, usagePercent } from './usageLook';

const CARD = 'usage-card';

function Ring({ percent }: { percent: number }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <circle class="ring-rest" cx="8" cy="8" r="6" pathLength="100" />
      <circle class="ring-used" cx="8" cy="8" r="6" pathLength="100" stroke-dasharray={`${percent} 100`} />
    </svg>
  );
}

/** The figures in words, the cost with its unit. */
function Card({ usage }: { usage: UsageView }) {
  const { t } = usePage();
  const { used, size, cost } = usage;
  const [have, window] = [used.toLocaleString(), size.toLocaleString()];
  return (
    <div class="popup usage-card" id={CARD} data-parley="usage-card" data-level={usageLevel(usage)}>
      <span class="dim">{t('usageTitle')}</span>
      <span>{size > 0 ? t('usageTokens', have, window) : t('usageUnknown', have)}</span>
      {size > 0 && (
        <span class="meter" aria-hidden="true">
          <progress max={100} value={usagePercent(usage)} />
          {usagePercent(usage)} %
        </span>
      )}
      {cost && <span>{t('usageCost', costText(cost))}</span>}
    </div>
  );
}

/** How much of the context window is used, as a ring; a press tells the tokens and the cost (US-2, US-3). */
export function Usage() {
  const { t, store } = usePage();
  usePart('usage');
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { usage } = store.state;
  useOutsidePress(() => setOpen(false));
  useEffect(() => {
    if (!usage) setOpen(false);
  }, [!usage]);
  if (!usage) return null;
  const { used, size, cost } = usage;
  const percent = usagePercent(usage);
  const tokens =
    size > 0
      ? t('usageLabel', percent, used.toLocaleString(), size.toLocaleString())
      : t('usageUnknown', used.toLocaleString());
  const label = cost ? `${tokens} · ${t('usageCost', costText(cost))}` : tokens;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !open) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
    button.current?.focus();
  };
  return (
    <span class="usage-place" onKeyDown={onKeyDown}>
      <button
        type="button"
        class="icon usage"
        ref={button}
        data-parley="usage"
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? CARD : undefined}
        title={label}
        data-level={usageLevel(usage)}
        onClick={() => setOpen(!open)}
        onBlur={() => setOpen(false)}
      >
        <Ring percent={percent} />
      </button>
      {open && <Card usage={usage} />}
    </span>
  );
}
