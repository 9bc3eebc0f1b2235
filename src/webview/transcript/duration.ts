/** A length of time as m:ss or h:mm:ss, for something that runs. */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A length of time that is over, in the unit that says it best. */
export function shortTime(ms: number): string {
  if (ms < 60_000) {
    const seconds = Math.max(0, ms) / 1000;
    return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  }
  return clockTime(ms);
}

/** Whole seconds of something that runs: no jumping digits. */
export function runningTime(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : clockTime(ms);
}
