import type { JsonObject } from '../../../../src/core/json';
import { faultSentence } from '../../../../src/core/traffic/faultSentence';
import { FaultChecker } from '../../../../src/core/traffic/faults';

const CAPABILITIES = { fs: { readTextFile: true, writeTextFile: true }, session: {} };

/** The faults of a conversation, as sentences. */
export class Conversation {
  readonly faults: string[] = [];
  private readonly checker: FaultChecker;

  constructor({ midway = false, agent = {} }: { midway?: boolean; agent?: JsonObject } = {}) {
    this.checker = new FaultChecker(midway);
    if (midway) return;
    this.out({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: 1, clientCapabilities: CAPABILITIES },
    });
    this.in({ id: 0, result: { protocolVersion: 1, ...agent } });
    this.out({ id: 1, method: 'session/new', params: { cwd: '/work', mcpServers: [] } });
    this.in({ id: 1, result: { sessionId: 's' } });
  }

  in(message: JsonObject): this {
    return this.take('in', message);
  }

  out(message: JsonObject): this {
    return this.take('out', message);
  }

  update(update: JsonObject, sessionId = 's'): this {
    return this.in({ method: 'session/update', params: { sessionId, update } });
  }

  prompt(id: number): this {
    return this.out({
      id,
      method: 'session/prompt',
      params: { sessionId: 's', prompt: [{ type: 'text', text: 'go' }] },
    });
  }

  line(text: string): this {
    this.faults.push(...this.checker.line(text).map(faultSentence));
    return this;
  }

  private take(direction: 'in' | 'out', message: JsonObject): this {
    this.faults.push(
      ...this.checker.check(direction, { jsonrpc: '2.0', ...message }, 0).faults.map(faultSentence),
    );
    return this;
  }
}

export const TOOL = {
  sessionUpdate: 'tool_call',
  toolCallId: 't',
  title: 'Read',
  kind: 'read',
  status: 'pending',
};
export const QUESTION = {
  sessionId: 's',
  toolCall: { toolCallId: 't' },
  options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
};

/** What is said in each case, and what it must be called. */
export const FAULT_CASES: [string, (talk: Conversation) => Conversation, string[]][] = [
  [
    'TC-6 an update for an unknown tool call',
    (talk) => talk.update({ sessionUpdate: 'tool_call_update', toolCallId: 'x' }),
    ['TC-6 agent sent tool_call_update for the unknown id x'],
  ],
  [
    'TC-5 a tool call that had ended',
    (talk) => talk.update({ ...TOOL, status: 'completed' }).update(TOOL),
    ['TC-5 agent sent tool_call for t, which had ended'],
  ],
  [
    'TC-2 TC-3 unknown kinds and states',
    (talk) => talk.update({ ...TOOL, kind: 'dance', status: 'done' }),
    [
      'TC-2 agent sent kind with the unknown value dance',
      'TC-3 agent sent status with the unknown value done',
    ],
  ],
  [
    'TC-1 a tool call without a title',
    (talk) => talk.update({ sessionUpdate: 'tool_call', toolCallId: 't' }),
    ['TC-1 agent sent tool_call with "title" missing or of a wrong type'],
  ],
  [
    'TC-8 DI-1 paths that are not absolute',
    (talk) =>
      talk.update({
        ...TOOL,
        locations: [{ path: 'a.ts' }],
        content: [{ type: 'diff', path: 'b.ts', newText: '' }],
      }),
    [
      'TC-8 agent sent location with the path a.ts, which is not absolute',
      'DI-1 agent sent diff with the path b.ts, which is not absolute',
    ],
  ],
  [
    'SU-2 an unknown update',
    (talk) => talk.update({ sessionUpdate: 'weather' }),
    ['SU-2 agent sent an update of the unknown kind weather'],
  ],
  [
    'SU-6 an update for an unknown session',
    (talk) => talk.update(TOOL, 'other'),
    ['SU-6 agent sent session/update for the unknown session other'],
  ],
  [
    'CO-1 a block without its text',
    (talk) => talk.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text' } }),
    ['CO-1 agent sent agent_message_chunk text with "text" missing or of a wrong type'],
  ],
  [
    'CC-6 a notice that nobody can show',
    (talk) => talk.update({ sessionUpdate: 'notice', severity: 'info', title: 'x' }),
    ['CC-6 agent used notice, which the other side has not announced'],
  ],
  [
    'EX-5 a notification of an unknown method',
    (talk) => talk.in({ method: 'session/party', params: {} }).in({ method: '_own', params: {} }),
    ['EX-5 agent called the unknown method session/party'],
  ],
  [
    'EX-4 a request of an unknown method',
    (talk) => talk.in({ id: 1, method: 'fs/list', params: {} }),
    ['EX-4 agent called the unknown method fs/list'],
  ],
  [
    'TE-1 terminals that were not announced',
    (talk) => talk.in({ id: 1, method: 'terminal/create', params: { sessionId: 's', command: 'ls' } }),
    ['TE-1 agent used terminal/create, which the other side has not announced'],
  ],
  [
    'RP-10 answers that nobody waits for',
    (talk) => talk.in({ id: 9, result: {} }),
    ['RP-10 agent answered the request 9, which is not open'],
  ],
  [
    'RP-2 an answer without an id',
    (talk) => talk.line('{"jsonrpc":"2.0","error":{"code":-32601,"message":"x"}}'),
    ['RP-2 agent sent an answer without an id'],
  ],
  [
    'RP-2 an id in another form',
    (talk) => talk.prompt(5).in({ id: '5', result: { stopReason: 'end_turn' } }),
    ['RP-2 agent gave the id 5 back in another form'],
  ],
  [
    'RP-1 an answer with an error and a result',
    (talk) => talk.prompt(5).in({ id: 5, result: {}, error: { code: 'x' } }),
    [
      'RP-1 agent answered session/prompt with both a result and an error, or with neither',
      'RP-1 agent sent an error without a whole number as its code or without a message',
    ],
  ],
  [
    'TR-5 TR-12 lines that are no messages',
    (talk) => talk.line('hello').line('[1]'),
    [
      'TR-5 agent wrote a line on stdout that is no message: hello',
      'TR-12 agent sent a list of messages in one line',
    ],
  ],
  [
    'PT-8 an unknown reason to stop',
    (talk) => talk.prompt(5).in({ id: 5, result: { stopReason: 'tired' } }),
    ['PT-8 agent sent stopReason with the unknown value tired'],
  ],
  [
    'FS-2 parameters that Parley refused',
    (talk) =>
      talk
        .in({ id: 1, method: 'fs/read_text_file', params: { sessionId: 's', path: 'a' } })
        .out({ id: 1, error: { code: -32602, message: 'not absolute' } }),
    [
      'RP-5 agent sent fs/read_text_file path with the path a, which is not absolute',
      'FS-2 agent called fs/read_text_file with parameters that were refused: not absolute',
    ],
  ],
  [
    'CA-3 a question after the cancel',
    (talk) =>
      talk
        .prompt(5)
        .out({ method: 'session/cancel', params: { sessionId: 's' } })
        .in({ id: 1, method: 'session/request_permission', params: QUESTION })
        .out({ id: 1, result: { outcome: { outcome: 'cancelled' } } })
        .in({ id: 5, result: { stopReason: 'cancelled' } }),
    ['CA-3 agent asked for the permission of t after the turn was cancelled'],
  ],
  [
    'CA-2 a cancelled turn that ends with an error',
    (talk) =>
      talk
        .prompt(5)
        .out({ method: 'session/cancel', params: { sessionId: 's' } })
        .in({ id: 5, error: { code: -32603, message: 'aborted' } }),
    ['CA-2 agent answered a cancelled prompt with an error'],
  ],
  [
    'PE-2 an option of Parley that was not offered',
    (talk) =>
      talk
        .in({ id: 1, method: 'session/request_permission', params: QUESTION })
        .out({ id: 1, result: { outcome: { outcome: 'selected', optionId: 'no' } } }),
    ['PE-2 client chose no, which was not offered'],
  ],
  [
    'CA-3 a permission of Parley after its cancel',
    (talk) =>
      talk
        .prompt(5)
        .in({ id: 1, method: 'session/request_permission', params: QUESTION })
        .out({ method: 'session/cancel', params: { sessionId: 's' } })
        .out({ id: 1, result: { outcome: { outcome: 'selected', optionId: 'yes' } } }),
    ['CA-3 client answered a question of a cancelled turn with yes'],
  ],
  [
    'SE-15 SE-6 calls of Parley that the agent has not announced',
    (talk) =>
      talk
        .out({ id: 5, method: 'session/list', params: {} })
        .out({ id: 6, method: 'session/load', params: { sessionId: 'o', cwd: '/work', mcpServers: [] } }),
    [
      'SE-15 client used session/list, which the other side has not announced',
      'SE-6 client used session/load, which the other side has not announced',
    ],
  ],
  [
    'PT-7 two prompts of Parley at once',
    (talk) => talk.prompt(5).prompt(6),
    ['PT-7 client sent a prompt while another one runs in the session'],
  ],
  [
    'PT-3 content of Parley that the agent does not take',
    (talk) =>
      talk.out({
        id: 5,
        method: 'session/prompt',
        params: { sessionId: 's', prompt: [{ type: 'image', data: '', mimeType: 'image/png' }] },
      }),
    ['PT-3 client used image, which the other side has not announced'],
  ],
];
