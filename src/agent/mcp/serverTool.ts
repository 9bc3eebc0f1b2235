import { failureText } from '../access/failureText';
import type { JsonObject } from '../../core/json';
import { visibleText } from '../../core/visibleText';
import { cutMiddle } from '../../core/session/limits';
import { fenced } from '../markdown';
import { textContent, ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../tools/tool';
import { MAX_SHOWN, resultText } from './results';
import type { CallEnd, ListedTool } from './serverClient';
import { shortName, type ServerLink } from './serverLink';

/** Most UTF-16 units of a description, and of a schema as JSON, that the model is given. */
const MAX_DESCRIPTION = 4_000;
const MAX_SCHEMA = 20_000;

/** Longest name of a tool that is shown. */
const MAX_TOOL_NAME = 60;

/** ms that a call may take without an answer or a word of progress. */
export const CALL_LIMIT_MS = 10 * 60_000;

/** ms between two words of progress that are shown. */
const SHOW_EVERY = 250;

export interface ServerToolOptions {
  /** What the model calls it. */
  name: string;
  link: ServerLink;
  callLimitMs: number;
}

/**
 * A tool of an MCP server as one of the agent's. Whatever the server says of it, each call asks for permission, and it is of no kind
 * that a client might allow by a rule: what a server says of its tools can't be trusted. The server itself checks the input.
 */
export function serverTool(listed: ListedTool, { name, link, callLimitMs }: ServerToolOptions): Tool {
  const shown = shortName(listed.name, MAX_TOOL_NAME);
  const scope = {
    key: `mcp:${name}`,
    alwaysName: `Always allow ${shown} of ${link.name} in this session`,
  };
  return {
    name,
    kind: 'other',
    changes: true,
    description: cutMiddle(listed.description ?? listed.title ?? shown, MAX_DESCRIPTION),
    inputSchema: boundedSchema(listed.inputSchema),
    start: (input) => ({
      title: `${shown} (${link.name})`,
      run: async (context) => {
        await context.permit(scope, [
          fencedContent(visibleText(JSON.stringify(input, undefined, 2)), 'json'),
        ]);
        const end = await link.call({
          tool: listed.name,
          input,
          signal: context.signal,
          timeLimitMs: callLimitMs,
          onProgress: progressShower(context),
        });
        return outputOf(end, { context, link, callLimitMs });
      },
    }),
  };
}

interface Ended {
  context: ToolContext;
  link: ServerLink;
  callLimitMs: number;
}

function outputOf(end: CallEnd, { context, link, callLimitMs }: Ended): ToolOutput {
  switch (end.end) {
    case 'answered': {
      const text = resultText(end.content, end.structured);
      if (end.isError) throw reported('The tool reported an error.', text, context);
      const output = text === '' ? 'The tool gave no result.' : text;
      return { output, content: [fencedContent(output)] };
    }
    case 'refused':
      throw reported(`${link.title} refused the call.`, cutMiddle(end.message, MAX_SHOWN), context);
    case 'late':
      throw new ToolFailure(`${link.title} did not answer within ${callLimitMs / 1000} s.`);
    case 'gone':
      throw new ToolFailure(
        `${link.title} did not finish the call: ${failureText(new Error(end.message))}. The next call connects to it again.`,
      );
  }
}

/** A failure in the words of a server: for the model as they are, for the person as a block that can't be mistaken for the agent's words. */
function reported(sentence: string, text: string, context: ToolContext): ToolFailure {
  if (text === '') return new ToolFailure(sentence);
  context.show([fencedContent(text)]);
  return new ToolFailure(sentence, `${sentence}\n\n${text}`);
}

function fencedContent(text: string, language?: string): ReturnType<typeof textContent> {
  return textContent(fenced(cutMiddle(text, MAX_SHOWN), language));
}

function progressShower({ show, signal }: ToolContext): (message: string) => void {
  let last = 0;
  return (message) => {
    const now = Date.now();
    if (signal.aborted || now - last < SHOW_EVERY) return;
    last = now;
    show([fencedContent(message.slice(0, 500))]);
  };
}

/** One that is too long for a model gives way to any object; the server checks the input anyway. */
function boundedSchema(schema: JsonObject): JsonObject {
  return JSON.stringify(schema).length <= MAX_SCHEMA ? schema : { type: 'object' };
}
