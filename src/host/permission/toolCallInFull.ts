import { homedir } from 'node:os';
import { asObject, asString, compact, type JsonObject } from '../../core/json';
import type { CommandSubject } from '../../core/permission/rules';
import { commandOf } from '../../core/permission/subject';
import { byId } from '../../core/session/byId';
import type { SessionState, ToolEntry } from '../../core/session/state';
import { displayCommand } from '../terminal/commandLine';
import { givenPath } from './givenPath';
import type { Asked } from './policy';

/** What a question is about, for the person. */
export interface QuestionTopic {
  /** What the agent calls it; empty where it says nothing. */
  title: string;
  command?: string;
  /** Folder in which the command would run. */
  cwd?: string;
  paths: string[];
  url?: string;
}

/**
 * The tool call of a permission request with what its card holds already (PE-6): agents often send the id alone. What the request brings
 * wins.
 */
export function toolCallInFull(state: SessionState | undefined, request: JsonObject): JsonObject {
  const card = state && cardOf(state, asString(request['toolCallId']) ?? '');
  const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null));
  return card ? { ...toWire(card), ...given } : given;
}

/** The card that the request goes to: one that ended in an earlier turn is another call. */
function cardOf({ toolIndex, entries, turn }: SessionState, toolCallId: string): ToolEntry | undefined {
  const index = byId(toolIndex, toolCallId);
  const entry = index === undefined ? undefined : entries[index];
  if (entry?.kind !== 'tool') return undefined;
  return entry.turn === turn.number || entry.endedAt === undefined ? entry : undefined;
}

function toWire(card: ToolEntry): JsonObject {
  const { toolCallId, title, toolKind, name, locations, content, rawInput } = card;
  const diffs = content.flatMap((item) => (item.type === 'diff' ? [{ type: 'diff', path: item.path }] : []));
  const known = { toolCallId, kind: toolKind, locations, content: diffs, ...compact({ name }) };
  if (rawInput === undefined) return { ...known, title };
  const input = parse(rawInput);
  // A long input is cut in the card. The title may then be a hint, but must not be read as the command.
  if (input === undefined) return { ...known, title: title.replaceAll('`', '') };
  return { ...known, title, rawInput: input };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A plain text, or cut.
  }
}

/**
 * What the person is told of a call.
 *
 * @param call As `toolCallInFull` gives it.
 * @param asked What rules are asked about it.
 */
export function topicOf(state: SessionState | undefined, call: JsonObject, asked: Asked): QuestionTopic {
  const card = state && cardOf(state, asString(call['toolCallId']) ?? '');
  const command = askedCommand(asked, call) ?? card?.command;
  const runs = command !== undefined || asked.kind === 'execute';
  const cwd = asked.cwd ?? (runs ? folderOf(state) : undefined);
  const url = asString(asObject(call['rawInput'])['url']);
  return {
    title: asString(call['title']) ?? card?.title ?? '',
    // Agents name a file in one call by its whole path and from the folder of the session.
    paths: [...new Set(asked.paths.map((path) => givenPath(path, state?.cwd ?? '/', homedir())))],
    ...compact({ command, cwd, url }),
  };
}

/** Where the input says in several ways what is run, all of them. */
function askedCommand({ command, guess }: Asked, call: JsonObject): string | undefined {
  if (command) return commandText(command);
  return commandOf(asObject(call['rawInput'])) ? guess : undefined;
}

const folderOf = (state: SessionState | undefined): string | undefined => state?.cwd ?? undefined;

/** A command as a person reads it. */
export function commandText(command: CommandSubject): string {
  if ('line' in command) return command.line;
  const [program = '', ...args] = command.argv;
  return displayCommand(program, args);
}
