import assert from 'node:assert/strict';
import { parseRules } from '../../../../src/core/permission/parseRules';
import { ruleText } from '../../../../src/core/permission/ruleText';

describe('rules in the settings', () => {
  it('reads whole rules without a problem', () => {
    const rules = [
      { effect: 'allow', command: 'npm test', always: true },
      { effect: 'deny', agent: 'A', kind: 'edit', path: '**/.env' },
      { effect: 'allow', command: 'rm -rf dist', exact: true },
      { effect: 'ask', tool: 'mcp__*' },
    ];
    assert.deepEqual(parseRules(rules), { rules, problems: [] });
    assert.deepEqual(parseRules(undefined), { rules: [], problems: [] });
  });

  it('PE-4 drops a rule that allows and is broken in any way', () => {
    const broken = [
      { effect: 'allow', comand: 'npm test' },
      { effect: 'allow', command: 5 },
      { effect: 'allow', command: 'a; b' },
      { effect: 'allow', command: '' },
      { effect: 'allow', path: '{a/b,c}' },
      { effect: 'allow', always: 'yes' },
      { effect: 'allow', command: 'a', exact: 'yes' },
      { effect: 'permit' },
      'allow',
    ];
    const { rules, problems } = parseRules(broken);
    assert.deepEqual(rules, []);
    assert.deepEqual(
      problems.map(({ index, reason, field }) => `${index} ${reason} ${field ?? ''}`.trim()),
      [
        '0 unknown comand',
        '1 field command',
        '2 field command',
        '3 field command',
        '4 field path',
        '5 field always',
        '6 field exact',
        '7 effect',
        '8 notObject',
      ],
    );
  });

  it('PE-4 keeps a broken rule that denies or asks, and lets it match more', () => {
    const { rules, problems } = parseRules([
      { effect: 'deny', kind: 'edit', path: 5 },
      { effect: 'ask', command: 'rm', extra: 1 },
    ]);
    assert.deepEqual(rules, [
      { effect: 'deny', kind: 'edit' },
      { effect: 'ask', command: 'rm' },
    ]);
    assert.equal(problems.length, 2);
  });

  it('tells a setting that is no list', () => {
    assert.deepEqual(parseRules({}), { rules: [], problems: [{ index: -1, reason: 'notObject' }] });
  });

  it('says a rule in a few words that hide nothing', () => {
    assert.equal(ruleText({ effect: 'allow', command: 'npm test' }), 'npm test');
    assert.equal(ruleText({ effect: 'allow', kind: 'edit', path: 'src/**' }), 'edit src/**');
    assert.equal(ruleText({ effect: 'deny', agent: 'A', tool: 'mcp__x__y' }), 'A: mcp__x__y');
    assert.equal(ruleText({ effect: 'allow', command: 'rm x', exact: true }), '= rm x');
    assert.equal(ruleText({ effect: 'deny' }), '*');
    assert.equal(ruleText({ effect: 'deny', command: 'a\nb\u202ec' }), 'a ⏎ b\\u{202E}c');
  });
});
