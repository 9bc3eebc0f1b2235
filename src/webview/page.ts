import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { HostToPage, Intent } from '../core/chat/protocol';
import { format, type PageString, type PageStrings } from '../core/chat/strings';
import type { Entry } from '../core/session/state';
import { Channel, type HostApi } from './channel';
import { onNextFrame } from './frame';
import { createParser } from './markdown/parser';
import { Persisted } from './persisted';
import { Store, type Part } from './store';

/** All that views share. */
export class Page {
  readonly store = new Store(onNextFrame);
  readonly channel: Channel;
  readonly persisted: Persisted;
  readonly parser = createParser();
  /** ms since the epoch; ticks only while something is running. */
  readonly now = signal(Date.now());
  /** Why the last wish was not granted. */
  readonly problem = signal<string | null>(null);
  /** The draft in the composer. */
  readonly draft = signal('');
  /** Ids of open questions that are on screen. */
  readonly inView = signal<ReadonlySet<string>>(new Set());
  /** Grows when the composer should get the focus. */
  readonly focusComposer = signal(0);
  /** Grows when the end of the conversation should be shown. */
  readonly showEnd = signal(0);
  private resyncing = false;

  constructor(
    host: HostApi,
    private readonly strings: PageStrings,
  ) {
    this.persisted = new Persisted(host);
    this.channel = new Channel(host, (message) => this.receive(message));
  }

  /** A text of the page. */
  readonly t = (key: PageString, ...args: readonly (string | number)[]): string =>
    format(this.strings[key], ...args);

  /** Asks the extension for something; true if it was granted. */
  readonly act = async (intent: Intent): Promise<boolean> => {
    try {
      await this.channel.send(intent);
      this.problem.value = null;
      return true;
    } catch (error) {
      this.problem.value = error instanceof Error ? error.message : String(error);
      return false;
    }
  };

  setDraft(text: string): void {
    this.draft.value = text;
    this.channel.keepDraft(text);
  }

  private receive(message: Exclude<HostToPage, { type: 'reply' }>): void {
    if (message.type === 'focusComposer') {
      this.focusComposer.value++;
      return;
    }
    if (message.type === 'snapshot') {
      this.resyncing = false;
      // What was typed before the first snapshot came is newer.
      if (!this.store.loaded.peek() && this.draft.peek() === '') this.draft.value = message.draft;
    }
    if (message.type === 'actions' && this.resyncing) return;
    if (this.store.receive(message)) {
      this.persisted.enter(this.store.state.sessionId);
      return;
    }
    this.resyncing = true;
    this.channel.resync();
  }
}

/** Carries the page to its views. */
export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A view was drawn outside the page.');
  return page;
}

/** Draws the view again when the part changes; returns the version. */
export function usePart(part: Part): number {
  return usePage().store.follow(part);
}

/** The entry of an id; draws the view again when it changes. */
export function useEntry<K extends Entry['kind']>(id: number, kind: K): (Entry & { kind: K }) | undefined {
  const { store } = usePage();
  store.follow(`entry:${id}`);
  const entry = store.entry(id);
  return entry?.kind === kind ? (entry as Entry & { kind: K }) : undefined;
}

/** Whether something foldable is open: as the person left it, else as given; remembered over a reload. */
export function useOpen(key: string, byDefault: boolean): [boolean, (open: boolean) => void] {
  const { persisted } = usePage();
  const [chosen, setChosen] = useState(persisted.isOpen(key));
  const choose = (open: boolean): void => {
    persisted.setOpen(key, open);
    setChosen(open);
  };
  return [chosen ?? byDefault, choose];
}
