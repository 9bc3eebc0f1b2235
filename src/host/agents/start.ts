import type { ModelSource } from '../../core/chat/start';

/** What the first steps of a person need. */
export interface Start {
  /** Asks what to add. */
  addAgent: () => Promise<void>;
  /**
   * Opens a session with a known agent that was found.
   *
   * @throws a sentence for the person
   */
  useAgent: (id: string) => Promise<void>;
  /** Asks for a model of the built-in agent, and sets it. */
  setUpModel: () => Promise<void>;
  /**
   * Uses a model that was offered.
   *
   * @throws a sentence for the person
   */
  useModel: (from: ModelSource) => Promise<void>;
  openFolder: () => Promise<void>;
  manageTrust: () => Promise<void>;
  openWalkthrough: () => Promise<void>;
}
