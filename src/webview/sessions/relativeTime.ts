const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The language of the page; undefined, which stands for the browser's own, where that is none. */
function language(): string | undefined {
  try {
    return Intl.getCanonicalLocales(document.documentElement.lang || [])[0];
  } catch {
    return undefined;
  }
}

/** How long ago something was, in few letters; a date after a week. Both in ms since the epoch. */
export function timeAgo(at: number, now: number): string {
  const age = Math.max(0, now - at);
  if (age >= 7 * DAY)
    return new Intl.DateTimeFormat(language(), { month: 'short', day: 'numeric' }).format(at);
  const ago = new Intl.RelativeTimeFormat(language(), { style: 'narrow', numeric: 'auto' });
  if (age < MINUTE) return ago.format(0, 'second');
  if (age < HOUR) return ago.format(-Math.floor(age / MINUTE), 'minute');
  if (age < DAY) return ago.format(-Math.floor(age / HOUR), 'hour');
  return ago.format(-Math.floor(age / DAY), 'day');
}

/** Date and time of something in full. */
export function fullTime(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
