export interface ScriptedModel {
  readonly url: string;
  /** Summaries of what was asked so far. */
  readonly requests: Record<string, unknown>[];
  stop(): Promise<void>;
}
export function startScriptedModel(options?: {
  port?: number;
  logFile?: string;
  bodies?: string;
}): Promise<ScriptedModel>;
