import type { FoundAgent } from '../agents/knownAgents';

/** Whose model is offered. */
export type ModelSource = 'ollama' | 'editor';

/** Models that the built-in agent could use, none of which is used unasked. */
export interface ModelOffers {
  /** The first model of the Ollama on this machine; null where none answers. */
  ollama: string | null;
  /** How many models VS Code has. */
  editor: number;
}

/** What the start of a conversation tells besides the session. */
export interface StartView {
  /** Known agents on this machine; null while they are looked for. */
  found: FoundAgent[] | null;
  /** Null while they are looked for, and where the person has set a model. */
  models: ModelOffers | null;
  /** A folder on disk is open. */
  folder: boolean;
  /** The workspace is trusted. */
  trusted: boolean;
}
