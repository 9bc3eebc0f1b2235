import { stat } from 'node:fs/promises';
import type { SessionAction, SessionUpdate } from '../core/session/actions';
import { byId } from '../core/session/byId';
import type { SessionState, ToolEntry } from '../core/session/state';
import type { Disposable } from '../core/lifecycle';
import { locate } from './files/boundary';

/** ms between two reveals. */
const PAUSE = 250;

/** A place to show. */
export interface Spot {
  /** Absolute. */
  path: string;
  /** 1-based. */
  line?: number;
}

export interface FollowerOptions {
  isOn(): boolean;
  /** Folders of the session that is followed. */
  roots(): readonly string[];
  /** Shows a place without taking the focus. */
  reveal(spot: Spot): Promise<void>;
}

/** Shows in the editor what the agent works on (TC-8). Shows one place in a while; of those that come meanwhile the last one counts. */
export class Follower implements Disposable {
  private next: Spot | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: FollowerOptions) {}

  /** An action of the followed session, after it was applied. */
  take(action: SessionAction, state: SessionState): void {
    if (action.type !== 'update' || !this.options.isOn()) return;
    const spot = spotOf(action.update, state);
    if (!spot) return;
    this.next = spot;
    if (!this.timer) this.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.next = undefined;
  }

  private show(): void {
    const spot = this.next;
    this.next = undefined;
    this.timer = spot && setTimeout(() => this.show(), PAUSE);
    if (spot) void this.reveal(spot);
  }

  /** Only files that exist, inside the folders of the session; to show one is a service, and no reason to fail. */
  private async reveal({ path, line }: Spot): Promise<void> {
    try {
      const place = await locate(path, this.options.roots());
      if (!(await stat(place.path)).isFile() || !this.options.isOn()) return;
      await this.options.reveal({ path: place.path, ...(line === undefined ? {} : { line }) });
    } catch {
      // There is nothing to show.
    }
  }
}

/** The last place of a call that is about to do something, or that changed a file. */
function spotOf(update: SessionUpdate, state: SessionState): Spot | undefined {
  if (update.kind !== 'toolCall' && update.kind !== 'toolCallUpdate') return undefined;
  const { toolCallId, locations, status } = update.patch;
  if (!locations && !status) return undefined;
  const entry = state.entries[byId(state.toolIndex, toolCallId) ?? -1];
  if (entry?.kind !== 'tool' || !isAtWork(entry)) return undefined;
  const spot = entry.locations.at(-1);
  return spot && { ...spot };
}

function isAtWork({ wire, toolKind }: ToolEntry): boolean {
  if (wire === 'completed') return toolKind === 'edit';
  return wire === 'pending' || wire === 'in_progress';
}
