import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { format } from '../../core/chat/strings';
import {
  readHostToDiagnose,
  type DiagnoseAction,
  type DiagnoseToHost,
} from '../../core/diagnostics/diagnoseProtocol';
import type { DiagnoseString, DiagnoseStrings } from '../../core/diagnostics/diagnoseStrings';
import type { AgentReport } from '../../core/diagnostics/report';
import type { Disposable } from '../../core/lifecycle';
import type { HostApi } from '../channel';

/** What came of an action: `error` is a sentence, or null where it is done. */
export interface Outcome {
  action: DiagnoseAction;
  error: string | null;
}

/** All that the views of the diagnostics page share. */
export class DiagnoseModel implements Disposable {
  readonly report = signal<AgentReport | null>(null);
  readonly outcome = signal<Outcome | null>(null);

  constructor(
    private readonly host: HostApi,
    readonly strings: DiagnoseStrings,
  ) {
    window.addEventListener('message', this.receive);
  }

  /** A text of the page. */
  readonly t = (key: DiagnoseString, ...args: readonly (string | number)[]): string =>
    format(this.strings[key], ...args);

  ready(): void {
    this.post({ type: 'ready' });
  }

  dispose(): void {
    window.removeEventListener('message', this.receive);
  }

  act(action: DiagnoseAction): void {
    this.outcome.value = null;
    this.post({ type: 'act', action });
  }

  private post(message: DiagnoseToHost): void {
    this.host.postMessage(message);
  }

  private readonly receive = (event: MessageEvent<unknown>): void => {
    const message = readHostToDiagnose(event.data);
    if (message?.type === 'report') this.report.value = message.report;
    else if (message) this.outcome.value = { action: message.action, error: message.error };
  };
}

/** Carries the page to its views. */
export const DiagnoseContext = createContext<DiagnoseModel | undefined>(undefined);

export function useDiagnose(): DiagnoseModel {
  const model = useContext(DiagnoseContext);
  if (!model) throw new Error('A view was drawn outside the page.');
  return model;
}
