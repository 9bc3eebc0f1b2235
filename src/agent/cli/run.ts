import { createInterface } from 'node:readline/promises';
import { ClientMethod, ErrorCode, LOOP_META } from '../../core/acp';
import { WireError } from '../../core/errors';
import { lineDiff } from '../../core/diff/lineDiff';
import { asList, asObject, asString, type JsonObject } from '../../core/json';
import { visibleText } from '../../core/visibleText';
import type { ClientRequest } from '../access/clientRequest';
import type { Models } from '../model/models';
import { OpenSessions } from '../openSessions';
import type { Notify } from '../report';
import type { SessionStore } from '../sessionStore';

/** Exit codes of `run`. */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  limit: 3,
  refused: 4,
  notComplete: 5,
  cancelled: 130,
} as const;

export interface RunOptions {
  prompt: string;
  cwd: string;
  autopilot: boolean;
  /** Allows what asks for a permission; without it the person is asked in the terminal, and where there is none it is refused. */
  allowAll: boolean;
  models: Models;
  store: SessionStore;
  write: (text: string) => void;
  /** For questions; undefined where nobody can answer. */
  terminal: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream } | undefined;
  signal: AbortSignal;
}

/** Runs one prompt without a client and prints what happens; gives the exit code of its outcome. */
export async function runPrompt(options: RunOptions): Promise<number> {
  const { models, store, cwd, prompt, write, signal } = options;
  const sessions = new OpenSessions({
    models,
    store,
    client: {
      files: { readTextFile: false, writeTextFile: false },
      terminal: false,
      turnEvents: false,
      forms: false,
      notices: true,
      syntheticMessages: true,
      compaction: true,
    },
    request: answerer(options),
    notify: printer(write),
  });
  const { sessionId, session } = sessions.create({ cwd, additionalDirectories: [] });
  if (options.autopilot) session.setMode('autopilot');
  try {
    const { stopReason, _meta } = await session.prompt([{ type: 'text', text: prompt }], signal);
    write(`\n[${stopReason}] session ${sessionId}\n`);
    const isComplete = asObject(asObject(_meta)[LOOP_META])['taskComplete'] !== undefined;
    const code = exitCodeOf(stopReason);
    return code === ExitCode.done && options.autopilot && !isComplete ? ExitCode.notComplete : code;
  } finally {
    sessions.dispose();
  }
}

function exitCodeOf(stopReason: string): number {
  if (stopReason === 'end_turn') return ExitCode.done;
  if (stopReason === 'cancelled') return ExitCode.cancelled;
  return stopReason === 'refusal' ? ExitCode.refused : ExitCode.limit;
}

/** Prints updates as lines: texts as they come, a line for each tool call and each way in which one ends. */
function printer(write: (text: string) => void): Notify {
  const titles = new Map<string, string>();
  return (method, params) => {
    if (method !== ClientMethod.update) return;
    const update = asObject(asObject(params)['update']);
    const id = asString(update['toolCallId']) ?? '';
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return write(visibleText(asString(asObject(update['content'])['text']) ?? ''));
      case 'notice':
        return write(`\n[notice] ${visibleText(asString(update['title']) ?? '')}\n`);
      case 'user_message_chunk':
        return write('\n[nudge]\n');
      case 'compaction_update':
        return write(`\n[compaction] ${visibleText(asString(update['status']) ?? '')}\n`);
      case 'tool_call':
        titles.set(id, visibleText(asString(update['title']) ?? ''));
        return write(`\n[tool] ${titles.get(id)}\n`);
      case 'tool_call_update':
        if (update['status'] === 'completed' || update['status'] === 'failed')
          write(`[${update['status']}] ${titles.get(id)}\n`);
        return;
      default:
    }
  };
}

/** Answers the agent's questions in the place of a client. */
function answerer({ allowAll, terminal, signal }: RunOptions): ClientRequest {
  return async (method, params) => {
    if (method !== ClientMethod.requestPermission)
      throw new WireError(ErrorCode.methodNotFound, 'There is no client.');
    const { toolCall, options } = asObject(params);
    const optionOf = (kind: string): string =>
      asString(asObject(asList(options).find((option) => asObject(option)['kind'] === kind))['optionId']) ??
      '';
    const isAllowed = allowAll || (terminal !== undefined && (await ask(toolCall, terminal, signal)));
    if (isAllowed === 'cancelled') return { outcome: { outcome: 'cancelled' } };
    const optionId = optionOf(isAllowed ? 'allow_once' : 'reject_once');
    return { outcome: { outcome: 'selected', optionId } };
  };
}

/** Shows what would happen; only a written yes is one, and Ctrl+C or the end of the input calls all of it off. */
async function ask(
  toolCall: unknown,
  terminal: NonNullable<RunOptions['terminal']>,
  signal: AbortSignal,
): Promise<boolean | 'cancelled'> {
  const { title, content } = asObject(toolCall);
  for (const item of asList(content)) terminal.output.write(`${visibleText(shown(asObject(item)))}\n`);
  const lines = createInterface(terminal);
  const closed = new Promise<'cancelled'>((resolve) => lines.once('close', () => resolve('cancelled')));
  try {
    const question = `Allow "${visibleText(asString(title) ?? '')}"? Type yes to allow: `;
    const answer = await Promise.race([lines.question(question, { signal }), closed]);
    return answer === 'cancelled' ? answer : /^(y|yes)$/i.test(answer.trim());
  } catch {
    return 'cancelled'; // Ctrl+C, which the terminal tells in this way.
  } finally {
    lines.close();
  }
}

/** A change by its lines, else the text. */
function shown({ type, path, oldText, newText, content }: JsonObject): string {
  if (type !== 'diff') return asString(asObject(content)['text']) ?? '';
  const { hunks } = lineDiff(asString(oldText) ?? null, asString(newText) ?? '');
  const lines = hunks.flatMap((hunk) => hunk.lines.map(({ sign, text }) => `${sign}${text}`));
  return [asString(path) ?? '', ...lines].join('\n');
}
