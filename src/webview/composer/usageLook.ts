import type { UsageView } from '../../core/session/state';

/** How full the context window is, as a colour (US-2). */
export type UsageLevel = 'low' | 'medium' | 'high' | 'full';

/** The used part of the window in percent, 0 to 100, whole; 0 where the size is not known (US-2). */
export function usagePercent({ used, size }: UsageView): number {
  return Math.round(share(used, size));
}

/** The steps are those of the protocol's text: from 75 % on, from 90 % on, over 95 % (US-2). */
export function usageLevel({ used, size }: UsageView): UsageLevel {
  const percent = share(used, size);
  if (percent > 95) return 'full';
  if (percent >= 90) return 'high';
  return percent >= 75 ? 'medium' : 'low';
}

function share(used: number, size: number): number {
  return size > 0 ? Math.min(100, Math.max(0, (used / size) * 100)) : 0;
}

/** The cost with its unit as the agent wrote it: that may be none that `Intl` knows, such as "credits" (US-3). */
export function costText({ amount, currency }: NonNullable<UsageView['cost']>): string {
  return `${amountText(amount)} ${currency}`;
}

/** With two places, more where those would show nothing. */
function amountText(amount: number): string {
  if (amount === 0 || Math.abs(amount) >= 0.01) return amount.toFixed(2);
  return Math.abs(amount) < 0.0001 ? '< 0.0001' : amount.toFixed(4);
}
