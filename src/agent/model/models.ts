import type { Disposable } from '../../core/lifecycle';
import type { Model } from './model';

/** A model that a session can use. */
export interface ModelChoice {
  id: string;
  name: string;
  description?: string;
}

/** The models that there are: the offline planner always, others as they are configured or offered by the client. */
export interface Models {
  /** What can be chosen now, the offline planner last. */
  choices(): readonly ModelChoice[];
  /** The one that a new session begins with: a configured one, else the planner; never one that nobody chose. */
  readonly preferred: string;
  /** Undefined for one that is not there. */
  get(id: string): Model | undefined;
  /** The rules that need no language model; they answer the slash commands of every session. */
  readonly offline: Model;
  /** Tells when the choices changed. */
  onDidChange(listener: () => void): Disposable;
}

/** The id of the offline planner among the choices. */
export const OFFLINE = 'offline';

/** The choice that says plainly what the planner is. */
const OFFLINE_CHOICE: ModelChoice = {
  id: OFFLINE,
  name: 'Offline',
  description: 'Fixed rules, no language model. Needs no account and no network.',
};

/** The models of a process that has the planner and what was configured. */
export class FixedModels implements Models {
  private readonly all: ReadonlyMap<string, { choice: ModelChoice; model: Model }>;
  readonly preferred: string;

  /** @param configured the first of them is the preferred one. */
  constructor(
    readonly offline: Model,
    configured: readonly { choice: ModelChoice; model: Model }[] = [],
  ) {
    const all = [...configured, { choice: OFFLINE_CHOICE, model: offline }];
    this.all = new Map(all.map((entry) => [entry.choice.id, entry]));
    this.preferred = configured[0]?.choice.id ?? OFFLINE;
  }

  choices(): readonly ModelChoice[] {
    return [...this.all.values()].map(({ choice }) => choice);
  }

  get(id: string): Model | undefined {
    return this.all.get(id)?.model;
  }

  onDidChange(): Disposable {
    return { dispose: () => undefined };
  }
}
