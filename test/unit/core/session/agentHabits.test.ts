import assert from 'node:assert/strict';
import { compatibilityOf } from '../../../../src/core/agents/compatibility';
import { ActionQueue } from '../../../../src/core/chat/sync';
import { toErrorView } from '../../../../src/core/errors';
import { readSessionConfig } from '../../../../src/core/session/config';
import { isForModel, meantBy } from '../../../../src/core/session/habits';
import { readPermissionOptions, readUpdate } from '../../../../src/core/session/intake';
import { textOf } from '../../../../src/core/session/select';
import { titleOf } from '../../../../src/core/session/title';
import type { ToolStatus } from '../../../../src/core/session/state';
import { readTurnAnswer } from '../../../../src/host/session/turnAnswer';
import { keepDiff, patch, TestSession, text, tool } from '../../../support/session';

const statuses = (session: TestSession): ToolStatus[] => session.tools().map(({ status }) => status);
const said = (session: TestSession): string[] =>
  session.state.entries.flatMap((entry) => ('blocks' in entry ? [textOf(entry.blocks)] : []));
const select = (id: string, currentValue: string, ...values: string[]) => ({
  id,
  name: id,
  category: id,
  type: 'select',
  currentValue,
  options: values.map((value) => ({ value, name: value })),
});

// The quirks of real agents, by the numbers of the list that they were collected in; those that need a connection are proven in
// test/integration/session/agentHabits.test.ts.
describe('habits of agents, as the state takes them', () => {
  it('quirk 6 SU-3 takes 50 commands whose `_meta` is half a megabyte, without that', () => {
    const heavy = 'x'.repeat(10_000);
    const availableCommands = Array.from({ length: 50 }, (_, i) => ({
      name: `c${i}`,
      description: null,
      input: null,
      _meta: { heavy },
    }));
    const session = new TestSession().wire({
      sessionUpdate: 'available_commands_update',
      availableCommands,
      _meta: { heavy },
    });
    assert.equal(session.state.commands.length, 50);
    assert.ok(JSON.stringify(session.state).length < 10_000);
  });

  it('quirk 7 PE-6 TC-6 opens a card for a question or an update of a call that was never announced, and none twice', () => {
    const asked = new TestSession().prompt().ask('q', 'a');
    assert.deepEqual(statuses(asked), ['waiting']);
    asked.answer('q', 'yes').wire(tool('a', { status: 'pending' }), patch('a', { status: 'completed' }));
    assert.deepEqual(statuses(asked), ['completed']);

    const backwards = new TestSession().prompt().wire(patch('b', { status: 'in_progress' }));
    assert.deepEqual(statuses(backwards), ['in_progress']);
    backwards.wire(tool('b', { status: 'pending' }));
    assert.deepEqual(statuses(backwards), ['in_progress']);
    backwards.wire(patch('b', { status: 'completed' }), tool('b', { status: 'pending' }));
    assert.deepEqual(statuses(backwards), ['completed']);

    const rejected = new TestSession().prompt().ask('q', 'c').answer('q', 'no');
    rejected.wire(patch('c', { status: 'failed' }), tool('c', { status: 'pending' }));
    assert.deepEqual(statuses(rejected), ['rejected']);
  });

  it('quirk 8 TC-6 opens a new card for an id that a call of an earlier turn had', () => {
    const session = new TestSession().prompt();
    session.wire(tool('call_1', { title: 'first' }), patch('call_1', { status: 'completed' })).end();
    session.prompt().wire(tool('call_1', { title: 'second' }));
    assert.deepEqual(
      session.tools().map(({ title, status }) => [title, status]),
      [
        ['first', 'completed'],
        ['second', 'pending'],
      ],
    );
  });

  it('quirk 9 TC-10 leaves no card open when the turn is over', () => {
    const session = new TestSession().prompt();
    session.wire(tool('a', { status: 'pending' }), tool('b', { status: 'in_progress' })).ask('q', 'c');
    session.end();
    assert.deepEqual(statuses(session), ['interrupted', 'interrupted', 'interrupted']);
    const cancelled = new TestSession().prompt().wire(tool('a', { status: 'in_progress' }));
    cancelled.apply({ type: 'cancelRequested', at: 1 }).end('cancelled');
    assert.deepEqual(statuses(cancelled), ['cancelled']);
  });

  it('quirk 10 CA-5 shows of a call that was cancelled what the agent says of it', () => {
    for (const status of ['completed', 'failed'] as const) {
      const session = new TestSession().prompt().wire(tool('a', { status: 'in_progress' }));
      session.apply({ type: 'cancelRequested', at: 1 });
      assert.deepEqual(statuses(session), ['cancelled']);
      session.wire(patch('a', { status })).end('cancelled');
      assert.deepEqual(statuses(session), [status]);
    }
  });

  it('quirk 12 PE-3 shows a rejected call so, however the turn ends', () => {
    for (const stopReason of ['cancelled', 'end_turn']) {
      const session = new TestSession().prompt().ask('q', 'a').answer('q', 'no').end(stopReason);
      assert.deepEqual(statuses(session), ['rejected']);
      assert.equal(session.state.turn.status, 'idle');
    }
  });

  it('quirk 14 SE-8 folds what the agent wrote for its model into the words of the person', () => {
    const session = new TestSession().wire(
      text('<session_context>\nToday is <b>Monday</b>.\n</session_context>', 'user_message'),
      text('the question', 'user_message'),
      text('[Function Response: read_file]', 'user_message'),
      text('<command-name>/m</command-name>\n <command-args>a</command-args>', 'user_message'),
    );
    const [entry] = session.state.entries;
    assert.ok(entry?.kind === 'user');
    assert.deepEqual(
      entry.blocks.map(({ hidden }) => hidden ?? false),
      [true, false, true],
    );
    assert.equal(titleOf(session.state), 'the question');
    for (const words of ['<b>bold</b>', '<my-tag>', '<a-b></a-b> and more', '[x]', 'x <a-b></a-b>', ''])
      assert.ok(!isForModel(words), words);
  });

  it('quirk 16 FS-6 gives an agent that gives up on a missing file an empty one', () => {
    assert.ok(compatibilityOf({ name: 'gemini-cli', version: '0.61.0' }).missingFileIsEmpty);
    assert.ok(!compatibilityOf({ name: 'qwen-code', version: '0.24.4' }).missingFileIsEmpty);
  });

  it('quirk 18 MI-1 opens no bubble for an empty text, splits no message on it, and counts the tokens that it carries', () => {
    const usage = { inputTokens: 1200, outputTokens: 85 };
    const session = new TestSession().prompt();
    session.wire({ ...text(''), _meta: { usage } }, text('one '), text(''), text('two'), {
      ...text(''),
      _meta: { usage },
    });
    assert.deepEqual(said(session).slice(1), ['one two']);
    session.end();
    const end = session.state.entries.at(-1);
    assert.ok(end?.kind === 'end');
    assert.deepEqual(end.tokens, { input: 2400, output: 170 });
    assert.equal(session.prompt().state.turn.tokens, undefined);
  });

  it('quirk 19 RP-9 finds the sentence of an error wherever the agent put it', () => {
    const inner = '{"error":{"message":"no credit","status":"INTERNAL"}}';
    const errors = [
      { code: 400, message: inner },
      { code: 1001, message: 'no credit' },
      { code: -32603, message: 'Internal error', data: { details: 'no credit' } },
      { code: -32603, message: 'Internal error: no credit', data: { message: 'no credit' } },
      { code: -32603, message: 'Internal error', data: { message: inner, info: 'other' } },
      { code: -32602, message: 'Invalid params', data: 'no credit' },
      { code: -32602, message: 'Invalid params', data: { _errors: ['no credit'] } },
    ];
    for (const error of errors) {
      const { message, detail } = toErrorView(error);
      assert.deepEqual([message, detail], ['no credit', undefined], JSON.stringify(error));
    }
    assert.equal(
      toErrorView({ message: `Internal error: Model: 400 ${inner}` }).message,
      'Model: 400 no credit',
    );
  });

  it('quirk 21 SU-5 takes words outside of a turn, and a mode out of a message', () => {
    const banner = new TestSession().wire(text('agent v1\n---\n'));
    assert.deepEqual([banner.state.turn.status, banner.kinds()], ['idle', ['agent']]);
    const warned = new TestSession().prompt().wire(text('Warning'), text('Hello', 'agent_message', 'm1'));
    assert.deepEqual(said(warned).slice(1), ['Warning', 'Hello']);

    const gemini = { name: 'gemini-cli', version: '0.61.0' };
    const noise = readUpdate(text('[MODE_UPDATE] plan'), keepDiff);
    assert.deepEqual(meantBy(noise, gemini), { kind: 'mode', modeId: 'plan' });
    assert.equal(meantBy(noise, { name: 'other' }), noise);
    const quoted = readUpdate(text('[MODE_UPDATE] plan is what it says'), keepDiff);
    assert.equal(meantBy(quoted, gemini), quoted);
  });

  it('quirk 19 NO-2 takes what the agent itself has to say out of the middle of an answer', () => {
    const copilot = { name: 'Copilot', version: '1.0.102' };
    const means = (said: unknown, agent: { name: string } = copilot) =>
      meantBy(readUpdate(said, keepDiff), agent);
    const kept = { kind: 'notice', kept: true };
    const info = { ...kept, severity: 'info', title: 'Trying again...' };
    assert.deepEqual(means(text('Info: Trying again...')), info);
    const error = {
      ...kept,
      severity: 'error',
      title: 'No answer.',
      description: 'Check the key.\nOr the address.',
    };
    assert.deepEqual(means(text('Error: No answer.\n  Check the key.\nOr the address.\n')), error);
    for (const [said, agent] of [
      [text('Info: Trying again...'), { name: 'other' }],
      [text('Info: of a message with an id', 'agent_message', 'm1'), copilot],
      [text('Error: '), copilot],
      [text('The log says Error: no'), copilot],
    ] as const)
      assert.equal(means(said, agent).kind, 'chunk');
    const session = new TestSession()
      .prompt()
      .wire(text('Half a'))
      .apply({ type: 'update', update: means(text('Info: Stopped')), at: 2 });
    assert.deepEqual(session.wire(text('B')).kinds(), ['user', 'agent', 'notice', 'agent']);
  });

  it('quirk 23 IN-7 takes null for absent, and a title of several lines as it is', () => {
    const locations = [{ path: '/a', line: null }];
    const content = [{ type: 'diff', path: '/a', oldText: null, newText: 'x' }];
    const title = 'cat <<EOF\nrelative/looking\nEOF';
    const session = new TestSession().prompt().wire(tool('a', { title, locations, content, rawInput: null }));
    const [entry] = session.tools();
    assert.deepEqual([entry?.title, entry?.locations, entry?.rawInput], [title, [{ path: '/a' }], undefined]);
    assert.ok(entry?.content[0]?.type === 'diff' && entry.content[0].isNew);
    assert.equal(readTurnAnswer({ stopReason: 'end_turn', usage: null, _meta: null }).tokens, undefined);
  });

  it('quirk 24 TC-4 leaves alone what an update does not bring', () => {
    const session = new TestSession().prompt();
    session.wire(tool('a', { title: 'A', kind: 'execute', status: 'in_progress', rawInput: {} }));
    session.wire({ content: [], toolCallId: 'a', sessionUpdate: 'tool_call_update' });
    session.wire({ _meta: { vendor: 1 }, toolCallId: 'a', sessionUpdate: 'tool_call_update' });
    const [entry] = session.tools();
    assert.deepEqual([entry?.title, entry?.toolKind, entry?.status], ['A', 'execute', 'in_progress']);
    session.wire({ sessionUpdate: 'session_info_update', _meta: { vendor: 1 } });
    session.wire({ sessionUpdate: 'session_info_update', updatedAt: '2026-01-01T00:00:00Z' });
    assert.deepEqual([session.state.title, session.state.updatedAt], [null, '2026-01-01T00:00:00Z']);
  });

  it('quirk 27 joins a flood of chunks for the page, and keeps one message', () => {
    const session = new TestSession().prompt();
    const queue = new ActionQueue();
    for (let i = 0; i < 2000; i++) {
      const action = session.action(text(`line ${i}\n`));
      session.apply(action);
      queue.push(action);
    }
    assert.equal(queue.take()?.actions.length, 1);
    assert.deepEqual(session.kinds(), ['user', 'agent']);
  });

  it('quirk 28 MO-4 shows one control for a choice that is listed twice', () => {
    const availableModes = [{ id: 'a', name: 'A' }];
    const availableModels = [{ modelId: 'm', name: 'M' }];
    const lists = {
      modes: { currentModeId: 'a', availableModes },
      models: { currentModelId: 'm', availableModels },
    };
    const ids = (answer: object): string[] => readSessionConfig(answer).map(({ id }) => id);
    assert.deepEqual(
      ids({ ...lists, configOptions: [select('mode', 'a', 'a'), select('model', 'm', 'm')] }),
      ['mode', 'model'],
    );
    assert.deepEqual(ids(lists), ['mode']);
  });

  it('PE-11 keeps two options of one kind and their long names, in the order of the agent', () => {
    const name = `Always allow ${'a very long command '.repeat(20)}`;
    const options = [
      { optionId: 'project', name, kind: 'allow_always' },
      { optionId: 'user', name: 'Always, for me', kind: 'allow_always' },
      { optionId: 'abort', name: 'No', kind: 'reject_once' },
    ];
    assert.deepEqual(readPermissionOptions(options), options);
  });

  it('shows the tokens of a turn, in whichever way the answer tells them', () => {
    const tokens = { input: 1200, output: 85 };
    const answers = [
      { usage: { inputTokens: 1200, outputTokens: 85, totalTokens: 1285 } },
      { _meta: { quota: { token_count: { input_tokens: 1200, output_tokens: 85 } } } },
      { usage: null, _meta: { quota: { token_count: { inputTokens: 1200, outputTokens: 85 } } } },
    ];
    for (const answer of answers) assert.deepEqual(readTurnAnswer(answer).tokens, tokens);
    assert.equal(readTurnAnswer({ usage: { inputTokens: 0, outputTokens: 0 } }).tokens, undefined);
    assert.equal(readTurnAnswer({ usage: { inputTokens: -1, outputTokens: 'x' } }).tokens, undefined);
  });
});
