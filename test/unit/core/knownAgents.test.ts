import assert from 'node:assert/strict';
import { splitCommandLine } from '../../../src/core/agents/commandLine';
import { parseAgents } from '../../../src/core/agents/definition';
import {
  foundAgents,
  freeName,
  KNOWN_AGENTS,
  knownCommands,
  lineOf,
  type FoundProgram,
} from '../../../src/core/agents/knownAgents';

const at = (path: string, byName = true): FoundProgram => ({ path, byName });
const programs = (entries: Record<string, FoundProgram>): Map<string, FoundProgram> =>
  new Map(Object.entries(entries));

describe('known agents', () => {
  it('are each one of a kind, by id, name and program', () => {
    for (const names of [
      KNOWN_AGENTS.map(({ id }) => id),
      KNOWN_AGENTS.map(({ title }) => title),
      knownCommands(),
    ])
      assert.equal(new Set(names).size, names.length, names.join(', '));
    for (const { link } of KNOWN_AGENTS) assert.equal(new URL(link).protocol, 'https:');
  });

  it('give rows that the settings take', () => {
    const all = programs(
      Object.fromEntries(KNOWN_AGENTS.map(({ commands: [name] }) => [name, at(`/bin/${name}`)])),
    );
    const found = foundAgents(all, []);
    assert.equal(found.length, KNOWN_AGENTS.length);
    const { agents, problems } = parseAgents(Object.fromEntries(found.map(({ title, row }) => [title, row])));
    assert.deepEqual(problems, []);
    assert.equal(agents.length, KNOWN_AGENTS.length);
  });

  it('are found by any of their programs, in the order of the table, with their arguments', () => {
    const found = foundAgents(
      programs({ gemini: at('/usr/bin/gemini'), 'claude-code-acp': at('/opt/claude-code-acp') }),
      [],
    );
    assert.deepEqual(
      found.map(({ id, path, row }) => [id, path, lineOf(row)]),
      [
        ['claude', '/opt/claude-code-acp', 'claude-code-acp'],
        ['gemini', '/usr/bin/gemini', 'gemini --acp'],
      ],
    );
  });

  it('are written by their path where the name might start a file of the project', () => {
    const [found] = foundAgents(programs({ gemini: at('/usr/bin/gemini', false) }), []);
    assert.deepEqual(found?.row, { command: '/usr/bin/gemini', args: ['--acp'] });
  });

  it('are known to be configured by their program, or by a program that runs them', () => {
    const all = programs({
      copilot: at('/bin/copilot'),
      'codex-acp': at('/bin/codex-acp'),
      pi: at('/bin/pi'),
    });
    const configuredBy = (command: string, ...args: string[]): (string | null)[] =>
      foundAgents(all, [{ id: 'Mine', command, args }]).map(({ configured }) => configured);
    assert.deepEqual(configuredBy('copilot', '--acp'), ['Mine', null]);
    assert.deepEqual(configuredBy('C:\\npm\\copilot.cmd'), ['Mine', null]);
    assert.deepEqual(configuredBy('npx', '-y', '@agentclientprotocol/codex-acp@2.6.0'), [null, 'Mine']);
    assert.deepEqual(configuredBy('node', '/tap.mjs', '--', '/bin/copilot', '--acp'), ['Mine', null]);
    assert.deepEqual(configuredBy('other', '@github/copilot-else'), [null, null]);
  });

  it('get a number where their name is taken', () => {
    assert.equal(freeName('Codex', ['Built-in']), 'Codex');
    assert.equal(freeName('Codex', ['Codex', 'Codex 2']), 'Codex 3');
  });
});

describe('a command line of a person', () => {
  it('is split at blanks, not within quotes', () => {
    assert.deepEqual(splitCommandLine('  my-agent --acp  "two words" a\'b c\'d "" ', false), [
      'my-agent',
      '--acp',
      'two words',
      'ab cd',
      '',
    ]);
  });

  it('has backslashes of paths on Windows, and elsewhere those that take a character as it is', () => {
    const line = 'C:\\bin\\a.exe "C:\\a b\\"';
    assert.deepEqual(splitCommandLine(line, true), ['C:\\bin\\a.exe', 'C:\\a b\\']);
    assert.deepEqual(splitCommandLine("my\\ agent \\\" 'a\\b'", false), ['my agent', '"', 'a\\b']);
    assert.deepEqual(splitCommandLine("it's", true), ["it's"]);
  });

  it('needs a program and closed quotes', () => {
    for (const line of ['', '   ', '""', '"" --acp']) assert.equal(splitCommandLine(line, false), 'empty');
    assert.equal(splitCommandLine('a "b', false), 'openQuote');
    assert.equal(splitCommandLine("a 'b\\'", false).length, 2);
  });
});
