import assert from 'node:assert/strict';
import { isBareValue, unaskedBy } from '../../../src/core/session/unasked';
import type { ChoiceView, ConfigView } from '../../../src/core/session/state';

const select = (value: string, more: Partial<ConfigView> = {}, choices: ChoiceView[] = []): ConfigView =>
  ({ id: 'o', name: 'Option', type: 'select', value, legacyMode: false, choices, ...more }) as ConfigView;
const onOff: ChoiceView[] = [
  { value: 'on', name: 'On' },
  { value: 'off', name: 'Off' },
];
const allowAll = (value: string): ConfigView =>
  select(value, { id: 'allow_all', name: 'Allow All', category: 'permissions' }, onOff);
const mode = (choice: ChoiceView): ConfigView =>
  select(choice.value, { id: 'mode', name: 'Mode', category: 'mode' }, [
    choice,
    { value: 'ask', name: 'Ask', description: 'Bypass permissions is the other one' },
  ]);

describe('what lets an agent act without asking', () => {
  it('is an option about permissions that is on, with the value that ends it', () => {
    assert.deepEqual(unaskedBy([allowAll('on')]), { id: 'allow_all', name: 'Allow All', off: 'off' });
    assert.equal(unaskedBy([allowAll('off')]), null);
  });

  it('is a switch that says so, in whatever category', () => {
    const approve: ConfigView = { id: 'a', name: 'Auto-approve tools', type: 'boolean', value: true };
    assert.deepEqual(unaskedBy([approve]), { id: 'a', name: 'Auto-approve tools', off: false });
    assert.equal(unaskedBy([{ ...approve, value: false }]), null);
  });

  it('is a mode that says so of everything', () => {
    const modes: ChoiceView[] = [
      { value: 'yolo', name: 'YOLO' },
      { value: 'x', name: 'Free', description: 'Auto-approves all tools' },
      { value: 'bypassPermissions', name: 'Bypass' },
      { value: 'agent-full-access', name: 'Whatever' },
      { value: 'https://a.example/modes#pilot', name: 'Pilot', description: 'Enables allow-all and goes on' },
    ];
    for (const choice of modes)
      assert.deepEqual(unaskedBy([mode(choice)]), { id: 'mode', name: choice.name }, choice.name);
  });

  it('is none of the rest', () => {
    const quiet: ConfigView[] = [
      mode({ value: 'auto-edit', name: 'Auto Edit', description: 'Automatically approve file edits' }),
      mode({ value: 'autopilot', name: 'Autopilot', description: 'Goes on until the task is complete' }),
      mode({ value: 'https://a.example/full-access#ask', name: 'Ask' }),
      mode({ value: 'dontAsk', name: "Don't ask", description: 'Denies what was not allowed before' }),
      select('on', { id: 'fast', name: 'Fast mode', category: 'model_config' }, onOff),
      select('on', { id: 'confirm', name: 'Require confirmation', category: 'permissions' }, onOff),
      select('full access', { category: 'model' }, [{ value: 'full access', name: 'full access' }]),
    ];
    for (const item of quiet) assert.equal(unaskedBy([item]), null, item.name);
  });

  it('knows values that say nothing without the name of their option', () => {
    assert.deepEqual(['On', 'off', 'true', 'Agent', 'Once'].map(isBareValue), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
