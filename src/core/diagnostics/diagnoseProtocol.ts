import { asObject, isObject } from '../json';
import type { AgentReport } from './report';

/** What a person can do on the diagnostics page. */
export const DIAGNOSE_ACTIONS = ['refresh', 'copy', 'restart', 'showLog'] as const;
export type DiagnoseAction = (typeof DIAGNOSE_ACTIONS)[number];

/** What the extension tells the page. */
export type HostToDiagnose =
  | { type: 'report'; report: AgentReport }
  /** `error`: one sentence for the person, or null where it is done. */
  | { type: 'done'; action: DiagnoseAction; error: string | null };

/** What the page tells the extension. */
export type DiagnoseToHost = { type: 'ready' } | { type: 'act'; action: DiagnoseAction };

/** Narrows a message of the page; undefined for anything else. */
export function readDiagnoseMessage(value: unknown): DiagnoseToHost | undefined {
  const message = asObject(value);
  if (message['type'] === 'ready') return { type: 'ready' };
  const action = DIAGNOSE_ACTIONS.find((name) => name === message['action']);
  return message['type'] === 'act' && action ? { type: 'act', action } : undefined;
}

/** Narrows a message of the extension, which is trusted for all but its kind. */
export function readHostToDiagnose(value: unknown): HostToDiagnose | undefined {
  if (!isObject(value)) return undefined;
  return value['type'] === 'report' || value['type'] === 'done' ? (value as HostToDiagnose) : undefined;
}
