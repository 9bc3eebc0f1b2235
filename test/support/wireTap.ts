import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { asList, asObject, asString, type JsonObject } from '../../src/core/json';
import { agentFile } from './fakeAgents';
import { wireProblemsOf } from './wireSchema';

/** Writes down what passes between Parley and agents that it starts by its settings, to be checked against the schema. */
export class WireTap {
  private readonly folder = mkdtempSync(join(tmpdir(), 'parley-wire-'));

  /** A value of `parley.agents` in which each agent runs through the tap, but for those that can't be started and those named `bare`. */
  wrap(agents: JsonObject, bare: readonly string[] = []): JsonObject {
    const wrapped = Object.entries(agents).map(([name, agent]) => {
      const definition = asObject(agent);
      const tap = !bare.includes(name) && (definition['shell'] === true || isThere(definition['command']));
      return [name, tap ? this.wrapOne(definition) : agent];
    });
    return Object.fromEntries(wrapped) as JsonObject;
  }

  private wrapOne({ command, args, shell, ...rest }: JsonObject): JsonObject {
    const options = ['--to', this.folder, ...(shell === true ? ['--shell'] : [])];
    const own = [agentFile('wireTap'), ...options, '--', command, ...asList(args)];
    return { ...rest, command: process.execPath, args: own };
  }

  /** The lines of a side of each run; an unfinished last line was cut by the end of the process. */
  lines(side: 'client' | 'agent'): string[][] {
    const files = readdirSync(this.folder).filter((name) => name.endsWith(`.${side}.ndjson`));
    return files
      .sort(byProcess)
      .map((name) => readFileSync(join(this.folder, name), 'utf8').split('\n').slice(0, -1));
  }

  /** What is wrong with the lines that Parley wrote; none is the aim. */
  problems(): string[] {
    const agents = this.lines('agent');
    return this.lines('client').flatMap((lines, run) =>
      wireProblemsOf('client', lines, (agents[run] ?? []).flatMap(parsed)),
    );
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Younger processes come later. */
const byProcess = (a: string, b: string): number => parseInt(a, 10) - parseInt(b, 10);

/** An agent may print what it likes. */
function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line.slice(Math.max(0, line.indexOf('{'))))];
  } catch {
    return [];
  }
}

/** Whether a program can be started; if not, that is what the test is about. */
function isThere(command: unknown): boolean {
  const name = asString(command) ?? '';
  const folders = isAbsolute(name) ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return name !== '';
    } catch {
      return false;
    }
  });
}
