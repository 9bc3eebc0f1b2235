import assert from 'node:assert/strict';
import { authMethodViews, readIntroduction, type Introduction } from '../../../src/core/agents/introduction';

function read(answer: object): Introduction {
  const introduction = readIntroduction({ protocolVersion: 1, ...answer }, 1);
  assert.ok(!('problem' in introduction));
  return introduction;
}

const NOTHING = {
  image: false,
  audio: false,
  embeddedContext: false,
  load: false,
  resume: false,
  list: false,
  close: false,
  delete: false,
  logout: false,
};
const ALL = Object.fromEntries(Object.keys(NOTHING).map((key) => [key, true]));

/** Capabilities with one value for every boolean and one for every marker. */
const capabilities = (flag: unknown, marker: unknown): object => ({
  agentCapabilities: {
    loadSession: flag,
    promptCapabilities: { image: flag, audio: flag, embeddedContext: flag },
    mcpCapabilities: { http: flag, sse: flag },
    sessionCapabilities: {
      resume: marker,
      list: marker,
      close: marker,
      delete: marker,
      additionalDirectories: marker,
    },
    auth: { logout: marker },
  },
});

describe('what an agent says of itself', () => {
  it('IN-7 IN-8 leaves unsupported what is left out, null or nonsense, at any depth', () => {
    const answers = [
      {},
      { agentCapabilities: null, authMethods: null, agentInfo: null },
      { agentCapabilities: 'all' },
      {
        agentCapabilities: {
          promptCapabilities: null,
          sessionCapabilities: 7,
          mcpCapabilities: [],
          auth: 'x',
        },
      },
      capabilities(null, null),
      capabilities(undefined, undefined),
    ];
    for (const answer of answers) {
      const { abilities, additionalDirectories, mcp, authMethods } = read(answer);
      assert.deepEqual(abilities, NOTHING);
      assert.deepEqual([additionalDirectories, mcp], [false, { http: false, sse: false }]);
      assert.deepEqual(authMethods, []);
    }
  });

  it('IN-9 takes true and objects for support, and nothing like them', () => {
    const { abilities, additionalDirectories, mcp } = read(capabilities(true, {}));
    assert.deepEqual(abilities, ALL);
    assert.deepEqual([additionalDirectories, mcp], [true, { http: true, sse: true }]);
    for (const [flag, marker] of [
      ['true', true],
      [1, 'yes'],
      [{}, 1],
    ])
      assert.deepEqual(read(capabilities(flag, marker)).abilities, NOTHING);
  });

  it('AU-1 AU-7 AU-12 reads the ways to sign in, and none that it can not carry out as it says', () => {
    const terminal = {
      type: 'terminal',
      id: 't',
      name: 'T',
      args: ['login'],
      env: { A: '1' },
      command: 'rm',
    };
    const { authMethods } = read({
      authMethods: [
        { id: 'a', name: 'A', description: 'with a key' },
        terminal,
        { type: 'device', id: 'd', name: 'D' },
        { ...terminal, id: 'bad', args: [1] },
        {
          type: 'env_var',
          id: 'key',
          name: 'Key',
          vars: [{ name: 'API_KEY', secret: true }, { name: 'ORG' }],
        },
        { type: 'env_var', id: 'odd', name: 'Odd', vars: [{ name: '$(rm)' }] },
        { name: 'without an id' },
        null,
      ],
    });
    assert.deepEqual(authMethods, [
      { id: 'a', name: 'A', type: 'agent', description: 'with a key' },
      { id: 't', name: 'T', type: 'terminal', args: ['login'], env: { A: '1' } },
      { id: 'd', name: 'D', type: 'unknown' },
      { id: 'bad', name: 'T', type: 'unknown' },
      { id: 'key', name: 'Key', type: 'unknown', variables: ['API_KEY', 'ORG'] },
      { id: 'odd', name: 'Odd', type: 'unknown' },
    ]);
    assert.deepEqual(authMethodViews(authMethods)[1], { id: 't', name: 'T', type: 'terminal' });
  });
});
