import { Ajv } from 'ajv';
import assert from 'node:assert/strict';
import { checkInput } from '../../../../src/agent/tools/input';
import { TOOLS } from '../../../../src/agent/tools/registry';
import { asList, asObject } from '../../../../src/core/json';

describe('the tools of the agent', () => {
  const tools = [...TOOLS.values()];

  it('are described', () => {
    for (const { name, description, inputSchema } of tools) {
      assert.match(name, /^[a-z]+(_[a-z]+)*$/);
      assert.ok(description.length >= 40 && description.length <= 700, `${name}: ${description.length}`);
      for (const [member, schema] of Object.entries(asObject(inputSchema['properties']))) {
        const { description: text, enum: choices } = asObject(schema);
        assert.ok(typeof text === 'string' || asList(choices).length > 0, `${name}.${member}`);
      }
    }
  });

  it('have schemas of objects that are valid, in strict mode', () => {
    for (const { inputSchema } of tools) {
      assert.equal(inputSchema['type'], 'object');
      new Ajv({ strict: true, strictTypes: false }).compile(inputSchema);
    }
  });

  it('never run side by side with others where they ask', () => {
    for (const { name, asks, alone } of tools) assert.ok(!asks || alone, name);
  });
});

describe('the check of an input', () => {
  const problemOf = (name: string, input: object): string => {
    try {
      checkInput(TOOLS.get(name)?.inputSchema ?? {}, asObject(input));
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  for (const [name, input, problem] of [
    ['read_file', {}, '"path" is missing; it must be a string of at least 1 character.'],
    ['read_file', { path: 3 }, '"path" must be a string of at least 1 character, not 3.'],
    ['read_file', { path: 'a', line: 0 }, '"line" must be a whole number of at least 1, not 0.'],
    ['read_file', { path: 'a', line: '2' }, '"line" must be a whole number of at least 1, not "2".'],
    [
      'edit_file',
      { path: 'a', oldText: 'a', newText: 'b', all: 'yes' },
      '"all" must be true or false, not "yes".',
    ],
    [
      'run_command',
      { command: 'x', timeLimitSeconds: 1e9 },
      '"timeLimitSeconds" must be a number greater than 0 and of at most 3600, not 1000000000.',
    ],
    ['update_plan', { entries: 'x' }, '"entries" must be a list of at most 50 items, not "x".'],
    ['update_plan', { entries: [3] }, '"entries[0]" must be an object, not 3.'],
    [
      'update_plan',
      { entries: [{ content: 'a', status: 'done' }] },
      '"entries[0].status" must be one of "pending", "in_progress", "completed", not "done".',
    ],
    [
      'fetch_url',
      { url: 'x'.repeat(3000) },
      '"url" must be a string of at least 1 character and of at most 2000 characters, not a text of 3000 characters.',
    ],
  ] as const) {
    it(`says: ${problem}`, () => assert.equal(problemOf(name, input), problem));
  }

  it('lets be what the schema does not name, and takes null for absent', () => {
    assert.equal(problemOf('read_file', { path: 'a', encoding: 'utf8', line: null, limit: null }), '');
    assert.match(problemOf('read_file', { path: null }), /"path" is missing/);
  });
});
