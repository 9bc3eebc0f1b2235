import { asList, asObject, asString } from '../core/json';
import type { HostApi } from './channel';

/** Sessions whose reading is remembered; the one that was read longest ago is forgotten first. */
const MAX_SESSIONS = 20;

/** A place in a conversation. */
export interface Place {
  /** Of an entry. */
  id: number;
  /** How far (px) it begins below the top of the view. */
  offset: number;
}

interface Reading {
  place: Place | null;
  toggled: Map<string, boolean>;
}

/** What outlives a reload of the page: how each conversation was being read. Drafts are kept by the extension. */
export class Persisted {
  /** By session key, the newest last. */
  private readonly readings: Map<string, Reading>;
  private readonly watchers = new Map<string, Set<(open: boolean) => void>>();
  private key = '';
  private agentId = '';
  private current: Reading = { place: null, toggled: new Map() };

  constructor(private readonly host: HostApi) {
    this.readings = new Map(asList(asObject(host.getState())['sessions']).map(readReading));
  }

  /** Turns to how another conversation was read. With its agent it is what a tab shows after a reload of the window. */
  enter(key: string, agentId: string): void {
    if (key === this.key) return;
    this.key = key;
    this.agentId = agentId;
    this.current = this.readings.get(key) ?? { place: null, toggled: new Map() };
    this.write();
  }

  /** Where the reader was; null at the end of the conversation. */
  get place(): Place | null {
    return this.current.place;
  }

  set place(place: Place | null) {
    const before = this.current.place;
    if (place?.id === before?.id && place?.offset === before?.offset) return;
    this.current.place = place;
    this.save();
  }

  /** What the person chose for something that can be folded; undefined: nothing. */
  isOpen(key: string): boolean | undefined {
    return this.current.toggled.get(key);
  }

  setOpen(key: string, open: boolean): void {
    this.current.toggled.set(key, open);
    this.save();
    for (const told of this.watchers.get(key) ?? []) told(open);
  }

  /** Tells a view that is drawn what is chosen for its key; returns what ends that. */
  watch(key: string, told: (open: boolean) => void): () => void {
    const watchers = this.watchers.get(key) ?? new Set();
    this.watchers.set(key, watchers.add(told));
    return () => {
      watchers.delete(told);
      if (watchers.size === 0) this.watchers.delete(key);
    };
  }

  /** True while a view with this key is drawn. */
  isWatched(key: string): boolean {
    return this.watchers.has(key);
  }

  private save(): void {
    const { key, current, readings } = this;
    readings.delete(key);
    readings.set(key, current);
    for (const oldest of [...readings.keys()].slice(0, -MAX_SESSIONS)) readings.delete(oldest);
    this.write();
  }

  private write(): void {
    const { key, agentId } = this;
    const sessions = [...this.readings].map(([name, { place, toggled }]) => ({
      key: name,
      place,
      toggled: Object.fromEntries(toggled),
    }));
    this.host.setState({ key, agentId, sessions });
  }
}

function readReading(value: unknown): [string, Reading] {
  const { key, place, toggled } = asObject(value);
  const toggles = Object.entries(asObject(toggled)).map(([name, open]) => [name, open === true] as const);
  return [asString(key) ?? '', { place: readPlace(place), toggled: new Map(toggles) }];
}

/** An earlier version kept the px of what was drawn then, which mean nothing now. */
function readPlace(value: unknown): Place | null {
  const { id, offset } = asObject(value);
  return typeof id === 'number' && typeof offset === 'number' ? { id, offset } : null;
}
