import assert from 'node:assert/strict';
import { parseAgents } from '../../../src/core/agents/definition';
import { authMethodViews, readIntroduction } from '../../../src/core/agents/introduction';
import { NO_ABILITIES } from '../../../src/core/session/state';

describe('the setting parley.agents', () => {
  it('reads a definition and fills what is left out', () => {
    const { agents, problems } = parseAgents({ Mine: { command: 'mine' } });
    assert.deepEqual(agents, [
      { id: 'Mine', command: 'mine', args: [], env: {}, shell: false, startTimeout: 60 },
    ]);
    assert.deepEqual(problems, []);
  });

  it('reports rows that are wrong and keeps the others', () => {
    const rows = {
      A: 'x',
      B: {},
      C: { command: 'c', args: [1] },
      D: { command: 'd', env: { A: 1 } },
      E: { command: 'e', cwd: 1 },
      F: { command: 'f', shell: 'yes' },
      G: { command: 'g', startTimeout: 0 },
      'Built-in': { command: 'x' },
      Good: { command: 'good' },
    };
    const { agents, problems } = parseAgents(rows);
    assert.deepEqual(
      agents.map(({ id }) => id),
      ['Good'],
    );
    assert.deepEqual(
      problems.map(({ problem }) => problem),
      ['notObject', 'noCommand', 'badArgs', 'badEnv', 'badCwd', 'badShell', 'badTimeout', 'reservedName'],
    );
  });

  it('takes a setting that is no object for an empty one', () => {
    assert.deepEqual(parseAgents(null), { agents: [], problems: [] });
  });
});

describe('the answer to initialize', () => {
  it('IN-7 takes null and nonsense for absent', () => {
    const answer = { protocolVersion: 1, agentCapabilities: null, agentInfo: null, authMethods: null };
    assert.deepEqual(readIntroduction(answer, 1), {
      abilities: NO_ABILITIES,
      additionalDirectories: false,
      mcp: { http: false, sse: false },
      authMethods: [],
    });
  });

  it('IN-5 accepts version 1 as a number alone', () => {
    assert.deepEqual(readIntroduction({ protocolVersion: 2 }, 1), {
      problem: 'unsupportedVersion',
      version: 2,
    });
    assert.deepEqual(readIntroduction({ protocolVersion: 0 }, 1), {
      problem: 'unsupportedVersion',
      version: 0,
    });
    assert.deepEqual(readIntroduction({ protocolVersion: '1' }, 1), { problem: 'badAnswer' });
    assert.deepEqual(readIntroduction('hello', 1), { problem: 'badAnswer' });
  });

  it('AU-1 AU-12 tells the ways to sign in apart, and shows those that it does not know', () => {
    const answer = {
      protocolVersion: 1,
      authMethods: [
        { id: 'a', name: 'A' },
        { id: 't', name: 'T', type: 'terminal', args: ['login'], env: { A: '1' } },
        { id: 'x', name: 'X', type: 'smoke' },
        { name: 'no id' },
      ],
    };
    const read = readIntroduction(answer, 1);
    assert.ok('authMethods' in read);
    assert.deepEqual(authMethodViews(read.authMethods), [
      { id: 'a', name: 'A', type: 'agent' },
      { id: 't', name: 'T', type: 'terminal' },
      { id: 'x', name: 'X', type: 'unknown' },
    ]);
  });
});
