import * as vscode from 'vscode';
import type { Base } from '../base';
import { Command, Setting } from '../contributions';
import type { Handler } from '../commands';
import type { Traffic } from './buildTraffic';
import { TrafficSwitch } from './trafficSwitch';

const isEnabled = (): boolean => vscode.workspace.getConfiguration().get(Setting.trafficEnabled) === true;

/** What passes between Parley and its agents, as the rest of Parley knows it. */
export interface LazyTraffic {
  recording: TrafficSwitch;
  /** @param agentId the agent that is shown. */
  commands: (agentId: () => string) => Record<string, Handler>;
}

/** The traffic of the agents, loaded when it is recorded or asked for: not with the window. */
export function lazyTraffic({ context, scope, log }: Pick<Base, 'context' | 'scope' | 'log'>): LazyTraffic {
  let traffic: Promise<Traffic> | undefined;
  const create = async (): Promise<Traffic> => {
    const { buildTraffic } = await import('./buildTraffic');
    return scope.add(buildTraffic({ context, isEnabled, log: (line) => log.main.warn(line) }));
  };
  const load = (): Promise<Traffic> => (traffic ??= create());
  const recording = new TrafficSwitch(isEnabled, load);
  scope.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(Setting.trafficEnabled)) void recording.refresh();
    }),
  );
  return {
    recording,
    commands: (agentId) => ({
      [Command.showTraffic]: async () => (await load()).show(agentId()),
      [Command.saveBugReport]: async () => (await load()).saveBugReport(agentId()),
    }),
  };
}
