import { homedir, userInfo } from 'node:os';
import * as vscode from 'vscode';
import type { LaunchPlan } from '../../acp/agentProcess';
import { createMasker } from '../../core/diagnostics/mask';
import { namesSecret } from '../../core/diagnostics/secretNames';
import { asObject } from '../../core/json';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { TrafficRecorder, type RunRecorder } from '../../core/traffic/recorder';
import { TrafficRing } from '../../core/traffic/ring';
import { Setting } from '../contributions';
import { BugReport } from './bugReport';
import { TrafficPage } from './trafficPage';
import type { TrafficSource } from './trafficSwitch';

export interface TrafficOptions {
  context: vscode.ExtensionContext;
  isEnabled: () => boolean;
  log: (line: string) => void;
}

/** What passes between Parley and its agents: kept while the setting is on, shown in a tab, saved as a report. */
export interface Traffic extends TrafficSource, Disposable {
  show(agentId: string): void;
  saveBugReport(agentId: string): Promise<void>;
}

export function buildTraffic({ context, isEnabled, log }: TrafficOptions): Traffic {
  const scope = new DisposableStore();
  const recorder = scope.add(new TrafficRecorder(new TrafficRing(), Date.now));
  const enable = async (): Promise<void> =>
    vscode.workspace
      .getConfiguration()
      .update(Setting.trafficEnabled, true, vscode.ConfigurationTarget.Global);
  const { version } = context.extension.packageJSON as { version: string };
  const report = new BugReport({ recorder, isEnabled, enable, version });
  let shown = '';
  const page = scope.add(
    new TrafficPage(
      context.extensionUri,
      {
        recorder,
        isEnabled,
        enable,
        save: () => report.save(shown),
        copy: async (text) => vscode.env.clipboard.writeText(text),
      },
      log,
    ),
  );
  return {
    record: (agentId, plan, midway) => record(recorder, agentId, plan, midway),
    show: (agentId) => {
      shown = agentId;
      page.show();
    },
    saveBugReport: (agentId) => report.save(agentId),
    dispose: () => scope.dispose(),
  };
}

/** Some containers have no account for their user. */
function account(): { user?: string } {
  try {
    return { user: userInfo().username };
  } catch {
    return {};
  }
}

function record(
  recorder: TrafficRecorder,
  agent: string,
  { env }: LaunchPlan,
  midway: object | undefined,
): RunRecorder {
  const secrets = Object.entries(env).flatMap(([name, value]) => (value && namesSecret(name) ? [value] : []));
  const mask = createMasker({ home: homedir(), ...account(), secrets });
  return recorder.begin({ agent, mask, ...(midway ? { midway: asObject(midway) } : {}) });
}
