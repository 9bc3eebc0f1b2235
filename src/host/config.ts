import * as vscode from 'vscode';
import {
  BUILT_IN_AGENT,
  parseAgents,
  type AgentDefinition,
  type DefinitionProblem,
} from '../core/agents/definition';
import { Setting } from './contributions';

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
