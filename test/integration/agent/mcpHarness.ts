import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ownCommands } from '../../../src/agent/access/ownCommands';
import { ownFiles } from '../../../src/agent/access/files';
import { connectServers, type ConnectOptions } from '../../../src/agent/mcp/connectServers';
import { readServers } from '../../../src/agent/mcp/serverConfig';
import type { Mode } from '../../../src/agent/model/model';
import { SessionReport } from '../../../src/agent/report';
import { PermissionDesk } from '../../../src/agent/tools/permissions';
import { ToolRunner, type ToolResult } from '../../../src/agent/tools/runner';
import type { Tool } from '../../../src/agent/tools/tool';
import { asObject, type JsonObject } from '../../../src/core/json';
import { makeWorkspace } from './workspace';

/** The test server, see there for what it can do wrong. */
export const SERVER = resolve('test/fixtures/mcp/server.mjs');

/** A value that may be in no log and no message. */
export const SECRET = 'se-cret-to-ken';

/** What a server was told and did, as it notes it. */
export class Notes {
  readonly folder = makeWorkspace({});
  readonly file = join(this.folder, 'notes');

  get lines(): string[] {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8').split('\n') : [];
  }

  /** Process ids of the server and its child, in the order of their starts. */
  get pids(): number[] {
    return this.lines.flatMap((line) => (/^(?:started|child) (\d+)$/.exec(line) ?? []).slice(1).map(Number));
  }

  /** Waits until the server noted something so many times. */
  async until(line: string, times = 1): Promise<void> {
    while (this.lines.filter((noted) => noted === line).length < times) await pause(10);
  }
}

/** The test server as a program, in the form of `session/new`. */
export function program(notes: Notes, env: Readonly<Record<string, string>> = {}, name = 'test'): object {
  const all = { NOTE_FILE: notes.file, TOKEN: SECRET, ...env };
  const pairs = Object.entries(all).map(([key, value]) => ({ name: key, value }));
  return { name, command: process.execPath, args: [SERVER], env: pairs };
}

/** The test server behind an address; `end` stops it. */
export async function listening(
  form: 'http' | 'sse',
  notes: Notes,
  port = 0,
): Promise<{ server: object; port: number; end: () => Promise<void> }> {
  const env = { ...process.env, NODE_OPTIONS: '', NOTE_FILE: notes.file, TOKEN: SECRET, PORT: String(port) };
  const child = spawn(process.execPath, [SERVER, `--${form}`], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const headers = [{ name: 'Authorization', value: `Bearer ${SECRET}` }];
  const at = Number(printed.toString());
  return {
    server: { type: form, name: form, url: `http://127.0.0.1:${at}/mcp`, headers },
    port: at,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** True while a process runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that ended stays in the table until its parent takes notice.
    return !existsSync('/proc') || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until processes are gone. */
export async function gone(pids: readonly number[]): Promise<void> {
  assert.ok(pids.length > 0);
  while (pids.some(isRunning)) await pause(10);
}

export interface Ran {
  result: ToolResult;
  /** The updates of the call's card. */
  updates: JsonObject[];
  /** What the person was asked. */
  asked: JsonObject[];
}

export interface RunOptions {
  mode?: Mode;
  /** The answer of the person. */
  optionId?: string;
  signal?: AbortSignal;
}

/** Connections to servers, with what the agent would do with their tools. */
export class Connected {
  readonly log: string[] = [];
  readonly tools = new Map<string, Tool>();
  private readonly asked: JsonObject[] = [];
  private optionId = 'allow_once';
  readonly servers: ReturnType<typeof connectServers>;
  private readonly permissions = new PermissionDesk('s', (_method, params) => {
    this.asked.push(asObject(params));
    return Promise.resolve({ outcome: { outcome: 'selected', optionId: this.optionId } });
  });

  constructor(
    servers: readonly object[],
    private readonly cwd: string,
    options: Partial<ConnectOptions> = {},
  ) {
    const log = (line: string): number => this.log.push(line);
    this.servers = connectServers(readServers(servers), {
      ...{ tools: this.tools, cwd, roots: [], log },
      ...options,
    });
  }

  /** Runs a tool as the agent loop does. */
  async run(name: string, input: JsonObject = {}, options: RunOptions = {}): Promise<Ran> {
    const { mode = 'interactive', optionId = 'allow_once', signal = new AbortController().signal } = options;
    this.optionId = optionId;
    const updates: JsonObject[] = [];
    const report = new SessionReport({
      sessionId: 's',
      turnEvents: false,
      record: () => undefined,
      notify: (_method, params) => updates.push(asObject(asObject(params)['update'])),
    });
    const place = { cwd: this.cwd, additionalDirectories: [] };
    const runner = new ToolRunner({
      tools: this.tools,
      environment: { ...place, files: ownFiles(place), commands: ownCommands() },
      permissions: this.permissions,
      mode: () => mode,
    });
    const call = report.beginTurn().beginModelCall(1);
    const before = this.asked.length;
    const result = await runner.run({ id: 'c', name, input }, call, signal);
    return { result, updates, asked: this.asked.slice(before) };
  }
}
