import type * as vscode from 'vscode';
import type { DisposableStore } from '../core/lifecycle';
import type { AgentFacts } from './agents/agentFacts';
import type { ModelParts } from './lm/lazyModels';
import type { Log } from './log';
import type { TurnChanges } from './review/turnChanges';
import type { LazyTraffic } from './traffic/lazyTraffic';
import type { DiffStore } from './session/diffTexts';
import type { OpenSession } from './session/sessions';

/** What the parts of Parley share. */
export interface Base {
  context: vscode.ExtensionContext;
  /** Disposed with the extension. */
  scope: DisposableStore;
  log: Log;
  diffs: DiffStore;
  changes: TurnChanges;
  /** What is known of the starts of agents. */
  facts: AgentFacts;
  /** What passes between Parley and its agents, where the person wants that kept. */
  traffic: LazyTraffic;
  /** The models that the built-in agent can have; loaded with the first call. */
  models: () => Promise<ModelParts>;
  /** Environment of the login shell. */
  environment: () => Promise<NodeJS.ProcessEnv>;
  /** An open session by Parley's key. */
  find: (key: string) => OpenSession | undefined;
}
