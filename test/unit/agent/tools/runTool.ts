import assert from 'node:assert/strict';
import { ownFiles, type FileAccess } from '../../../../src/agent/access/files';
import { ownCommands } from '../../../../src/agent/access/ownCommands';
import type { Workspace } from '../../../../src/agent/access/paths';
import type { Mode } from '../../../../src/agent/model/model';
import { SessionReport } from '../../../../src/agent/report';
import { PermissionDesk } from '../../../../src/agent/tools/permissions';
import { TOOLS } from '../../../../src/agent/tools/registry';
import { ToolRunner, type ToolResult } from '../../../../src/agent/tools/runner';
import { asList, asObject, type JsonObject } from '../../../../src/core/json';

export interface Ran extends ToolResult {
  /** The states of the call's card. */
  states: unknown[];
  /** What the person was asked. */
  asked: JsonObject[];
  updates: JsonObject[];
}

export interface ToolUse {
  mode?: Mode;
  ripgrep?: string | undefined;
  signal?: AbortSignal;
  files?: FileAccess;
  /** The option that the person chooses. */
  answer?: string | (() => string);
}

/** One session's tools, with a person who allows all unless told otherwise. */
export function toolsIn(
  workspace: Workspace | string,
  use: ToolUse = {},
): (name: string, input: JsonObject) => Promise<Ran> {
  const folders = typeof workspace === 'string' ? { cwd: workspace, additionalDirectories: [] } : workspace;
  let asked: JsonObject[] = [];
  let updates: JsonObject[] = [];
  const report = new SessionReport({
    sessionId: 's',
    turnEvents: false,
    record: () => undefined,
    notify: (_method, params) => updates.push(asObject(asObject(params)['update'])),
  });
  const permissions = new PermissionDesk('s', (_method, params) => {
    asked.push(asObject(params));
    const optionId = typeof use.answer === 'function' ? use.answer() : (use.answer ?? 'allow_once');
    return Promise.resolve({ outcome: { outcome: 'selected', optionId } });
  });
  const runner = new ToolRunner({
    tools: TOOLS,
    environment: {
      ...folders,
      files: use.files ?? ownFiles(folders),
      commands: ownCommands(),
      ripgrep: use.ripgrep,
    },
    permissions,
    mode: () => use.mode ?? 'interactive',
  });
  return async (name, input) => {
    [asked, updates] = [[], []];
    const call = report.beginTurn().beginModelCall(1);
    const signal = use.signal ?? new AbortController().signal;
    const result = await runner.run({ id: 'c', name, input }, call, signal);
    return { ...result, asked, updates, states: updates.map(({ status }) => status) };
  };
}

/** The output of a call that has to go well. */
export async function outputOf(ran: Promise<Ran>): Promise<string> {
  const { outcome, output } = await ran;
  assert.equal(outcome, 'completed', output);
  return output;
}

/** What a call that has to fail says, which is one sentence and no stack. */
export async function failureOf(ran: Promise<Ran>): Promise<string> {
  const { outcome, output } = await ran;
  assert.equal(outcome, 'failed', output);
  assert.match(output, /^[^\n]+$/);
  return output;
}

/** The text that a question shows. */
export function shownIn(question: JsonObject | undefined): string {
  const [first] = asList(asObject(question?.['toolCall'])['content']);
  return String(asObject(asObject(first)['content'])['text']);
}
