import { asList, asObject, asString } from '../core/json';
import type { HostApi } from './channel';

/** Sessions whose reading is remembered; the one that was read longest ago is forgotten first. */
const MAX_SESSIONS = 20;

interface Reading {
  scrollTop: number | null;
  toggled: Map<string, boolean>;
}

/** What outlives a reload of the page: how each conversation was being read. Drafts are kept by the extension. */
export class Persisted {
  /** By session key, the newest last. */
  private readonly readings: Map<string, Reading>;
  private key = '';
  private current: Reading = { scrollTop: null, toggled: new Map() };

  constructor(private readonly host: HostApi) {
    this.readings = new Map(asList(asObject(host.getState())['sessions']).map(readReading));
  }

  /** Turns to how another conversation was read. */
  enter(key: string): void {
    if (key === this.key) return;
    this.key = key;
    this.current = this.readings.get(key) ?? { scrollTop: null, toggled: new Map() };
  }

  /** Where the reader was; null at the end of the conversation. */
  get scroll(): number | null {
    return this.current.scrollTop;
  }

  set scroll(top: number | null) {
    if (top === this.current.scrollTop) return;
    this.current.scrollTop = top;
    this.save();
  }

  /** What the person chose for something that can be folded; undefined: nothing. */
  isOpen(key: string): boolean | undefined {
    return this.current.toggled.get(key);
  }

  setOpen(key: string, open: boolean): void {
    this.current.toggled.set(key, open);
    this.save();
  }

  private save(): void {
    const { key, current, readings } = this;
    readings.delete(key);
    readings.set(key, current);
    for (const oldest of [...readings.keys()].slice(0, -MAX_SESSIONS)) readings.delete(oldest);
    const sessions = [...readings].map(([name, { scrollTop, toggled }]) => ({
      key: name,
      scrollTop,
      toggled: Object.fromEntries(toggled),
    }));
    this.host.setState({ sessions });
  }
}

function readReading(value: unknown): [string, Reading] {
  const { key, scrollTop, toggled } = asObject(value);
  const toggles = Object.entries(asObject(toggled)).map(([name, open]) => [name, open === true] as const);
  return [
    asString(key) ?? '',
    { scrollTop: typeof scrollTop === 'number' ? scrollTop : null, toggled: new Map(toggles) },
  ];
}
