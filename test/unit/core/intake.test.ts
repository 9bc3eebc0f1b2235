import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readPermissionOptions, readUpdate } from '../../../src/core/session/intake';
import { readSessionConfig } from '../../../src/core/session/config';
import { visibleText } from '../../../src/core/visibleText';
import { keepDiff, TestSession, tool } from '../../support/session';

const KINDS = [
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'available_commands_update',
  'config_option_update',
  'current_mode_update',
  'session_info_update',
  'usage_update',
  'notice',
];

describe('the intake of updates', () => {
  it('SU-3 SU-4 never throws, whatever an agent sends, and the state takes it', () => {
    const keys = [
      'content',
      'toolCallId',
      'title',
      'status',
      'kind',
      'locations',
      'rawInput',
      'entries',
      'availableCommands',
      'configOptions',
      'used',
      'size',
      'messageId',
    ];
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constant(null),
      fc.constant('x'),
      fc.array(fc.record({ type: fc.string(), path: fc.jsonValue() })),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...KINDS),
        fc.dictionary(fc.constantFrom(...keys), value),
        (sessionUpdate, fields) => {
          const session = new TestSession().prompt().wire({ sessionUpdate, ...fields });
          JSON.stringify(session.state);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('DI-1 computes the hunks of a diff and counts its lines', () => {
    const content = [{ type: 'diff', path: '/x', oldText: 'a\nb\nc\n', newText: 'a\nB\nc\nd\n' }];
    const [card] = new TestSession().prompt().wire(tool('t', { content })).tools();
    const [item] = card?.content ?? [];
    assert.ok(item?.type === 'diff');
    assert.deepEqual([item.isNew, item.diff.added, item.diff.removed], [false, 2, 1]);
    assert.deepEqual(
      item.diff.hunks[0]?.lines.map(({ sign, text }) => sign + text),
      [' a', '-b', '+B', ' c', '+d'],
    );
  });

  it('DI-1 takes a missing or null old text for a new file', () => {
    const content = [{ type: 'diff', path: '/x', oldText: null, newText: 'a' }];
    const [item] = new TestSession().prompt().wire(tool('t', { content })).tools()[0]?.content ?? [];
    assert.ok(item?.type === 'diff' && item.isNew);
  });

  it('TC-7 accepts a bare content block', () => {
    const update = readUpdate(tool('t', { content: [{ type: 'text', text: 'plan' }] }), keepDiff);
    assert.ok(update.kind === 'toolCall');
    assert.deepEqual(update.patch.content, [{ type: 'block', block: { type: 'text', text: 'plan' } }]);
  });

  it('TC-9 finds the command of a call, as a line or as argv', () => {
    const command = (rawInput: unknown) => {
      const update = readUpdate(tool('t', { rawInput }), keepDiff);
      return update.kind === 'toolCall' ? update.patch.command : undefined;
    };
    assert.equal(command({ command: 'rm -r build' }), 'rm -r build');
    assert.equal(command({ command: ['bash', '-lc', 'echo "a b"'] }), 'bash -lc "echo \\"a b\\""');
    assert.equal(command({ command: 'npm', args: ['publish'] }), 'npm publish');
    assert.equal(command({ command: 'ls', cmd: 'rm x' }), 'ls\nrm x');
    assert.equal(command({ other: 1 }), undefined);
  });

  it('TC-9 caps what it keeps of a result', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'x'.repeat(5_000_000) } }];
    const update = readUpdate(tool('t', { content, rawOutput: 'y'.repeat(5_000_000) }), keepDiff);
    assert.ok(JSON.stringify(update).length < 300_000);
  });

  it('PE-1 keeps the options in the agent’s order and skips one without an id', () => {
    const options = readPermissionOptions([
      { optionId: 'b', name: 'B', kind: 'reject_once' },
      { name: 'x' },
      { optionId: 'a', kind: 'new_kind' },
    ]);
    assert.deepEqual(options, [
      { optionId: 'b', name: 'B', kind: 'reject_once' },
      { optionId: 'a', name: 'a', kind: 'other' },
    ]);
  });

  it('MO-4 takes config options alone where there are both, else the modes', () => {
    const modes = {
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask' },
        { id: 'code', name: 'Code' },
      ],
    };
    const option = {
      id: 'model',
      name: 'Model',
      type: 'select',
      currentValue: 'm',
      options: [{ group: 'g', name: 'G', options: [{ value: 'm', name: 'M' }] }],
    };
    assert.deepEqual(
      readSessionConfig({ modes, configOptions: [option] }).map(({ id }) => id),
      ['model'],
    );
    assert.deepEqual(
      readSessionConfig({ modes, configOptions: null }).map(({ id, value }) => [id, value]),
      [['mode', 'ask']],
    );
    assert.deepEqual(readSessionConfig(null), []);
  });

  it('CF-5 ignores an option of an unknown type', () => {
    assert.deepEqual(
      readSessionConfig({ configOptions: [{ id: 'x', name: 'X', type: 'slider', currentValue: 3 }] }),
      [],
    );
  });
});

describe('text that a person is asked to allow', () => {
  it('shows characters that hide or reorder', () => {
    assert.equal(visibleText('rm a\u202eb\u200b\u001b[0m'), 'rm a\\u{202E}b\\u{200B}\\u{1B}[0m');
    assert.equal(visibleText('a\u{e0041}\n\t日本語 🎉'), 'a\\u{E0041}\n\t日本語 🎉');
  });
});
