import * as vscode from 'vscode';
import {
  BUILT_IN_AGENT,
  parseAgents,
  type AgentDefinition,
  type DefinitionProblem,
} from '../core/agents/definition';
import type { NotificationMode } from '../core/attention/attentionQueue';
import type { SendKey } from '../core/chat/protocol';
import { Setting } from './contributions';
import { DEFAULT_TABS, type TabSettings } from './terminal/presenter';

export type PermissionPrompt = 'quickPick' | 'card' | 'both';

function read(setting: string): unknown {
  return vscode.workspace.getConfiguration().get(setting);
}

/** The agents of the settings. */
export function readAgents(): { agents: AgentDefinition[]; problems: DefinitionProblem[] } {
  return parseAgents(read(Setting.agents));
}

/** The agent that a new window starts with. */
export function readDefaultAgent(): string {
  const name = read(Setting.defaultAgent);
  return typeof name === 'string' && name !== '' ? name : BUILT_IN_AGENT;
}

/** Where a permission request is shown. */
export function readPermissionPrompt(): PermissionPrompt {
  const value = read(Setting.permissionPrompt);
  return value === 'quickPick' || value === 'card' ? value : 'both';
}

/** Whether the editor follows what the agent works on. */
export function readFollow(): boolean {
  return read(Setting.follow) === true;
}

/** What the person is told by notifications. */
export function readNotifications(): NotificationMode {
  const value = read(Setting.notifications);
  return value === 'questions' || value === 'off' ? value : 'all';
}

/** The key that sends what is in the composer. */
export function readSendKey(): SendKey {
  return read(Setting.sendOn) === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
}

/** How commands of agents are shown as terminals. */
export function readTabs(): TabSettings {
  const show = read(Setting.terminalShow);
  const keep = read(Setting.terminalKeep);
  return {
    show: show === 'visible' || show === 'none' ? show : DEFAULT_TABS.show,
    keep: typeof keep === 'number' && keep >= 0 ? keep : DEFAULT_TABS.keep,
  };
}
