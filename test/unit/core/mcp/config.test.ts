import assert from 'node:assert/strict';
import { parseMcpConfig } from '../../../../src/core/mcp/config';

const problemsOf = (value: object): string[] =>
  parseMcpConfig(JSON.stringify(value)).problems.map(
    ({ row, name, problem }) => `${row} ${name}: ${problem}`,
  );

describe('the text of mcp.json', () => {
  it('MC-1: gives servers of each transport, with comments and trailing commas around them', () => {
    const config = parseMcpConfig(`\uFEFF{
      // programs
      "servers": {
        "files": { "type": "stdio", "command": "npx", "args": ["-y", "files"], "env": { "A": "1", "N": 2, "GONE": null },
                   "envFile": "\${workspaceFolder}/.env", "cwd": "/x", "dev": { "watch": "**" }, },
        "plain": { "command": "plain" }, /* no type */
        "web": { "type": "http", "url": "https://a.example/mcp", "headers": { "X": "y" } },
        "old": { "type": "sse", "url": "https://b.example/sse" },
        "guessed": { "url": "https://c.example" },
      },
    }`);
    assert.deepEqual(config, {
      servers: [
        {
          transport: 'stdio',
          name: 'files',
          command: 'npx',
          args: ['-y', 'files'],
          env: { A: '1', N: '2', GONE: null },
          envFile: '${workspaceFolder}/.env',
          cwd: '/x',
        },
        { transport: 'stdio', name: 'plain', command: 'plain', args: [], env: {} },
        { transport: 'http', name: 'web', url: 'https://a.example/mcp', headers: { X: 'y' } },
        { transport: 'sse', name: 'old', url: 'https://b.example/sse', headers: {} },
        { transport: 'http', name: 'guessed', url: 'https://c.example', headers: {} },
      ],
      inputs: [],
      problems: [],
    });
  });

  it('MC-1: gives the inputs', () => {
    const { inputs, problems } = parseMcpConfig(
      JSON.stringify({
        inputs: [
          { type: 'promptString', id: 'key', description: 'API key', password: true },
          { type: 'promptString', id: 'host', default: 'localhost' },
          {
            type: 'pickString',
            id: 'level',
            description: 'Level',
            options: ['a', { label: 'Bee', value: 'b' }],
            default: 'b',
          },
        ],
      }),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(inputs, [
      { type: 'promptString', id: 'key', description: 'API key', password: true },
      { type: 'promptString', id: 'host', description: 'host', default: 'localhost', password: false },
      {
        type: 'pickString',
        id: 'level',
        description: 'Level',
        default: 'b',
        options: [
          { label: 'a', value: 'a' },
          { label: 'Bee', value: 'b' },
        ],
      },
    ]);
  });

  it('MC-1: names each bad row with its cause and keeps the good ones', () => {
    const servers = {
      text: 'npx',
      kind: { type: 'ws', url: 'ws://x' },
      empty: {},
      blank: { command: ' ' },
      args: { command: 'a', args: ['b', 3] },
      env: { command: 'a', env: { A: true } },
      envName: { command: 'a', env: { 'A=B': '1' } },
      nul: { command: 'a\0b' },
      envFile: { command: 'a', envFile: 1 },
      cwd: { command: 'a', cwd: [] },
      sandbox: { command: 'a', sandboxEnabled: true },
      url: { type: 'http' },
      headers: { url: 'https://x', headers: { A: 1 } },
      good: { command: 'a', sandboxEnabled: false },
    };
    assert.deepEqual(problemsOf({ servers }), [
      'server text: notObject',
      'server kind: badType',
      'server empty: noCommand',
      'server blank: noCommand',
      'server args: badArgs',
      'server env: badEnv',
      'server envName: badEnv',
      'server nul: noCommand',
      'server envFile: badEnvFile',
      'server cwd: badCwd',
      'server sandbox: sandboxed',
      'server url: noUrl',
      'server headers: badHeaders',
    ]);
    const { servers: kept } = parseMcpConfig(JSON.stringify({ servers }));
    assert.deepEqual(
      kept.map(({ name }) => name),
      ['good'],
    );
  });

  it('MC-1: names bad inputs, also those that would run a command', () => {
    assert.deepEqual(
      problemsOf({
        inputs: [
          { type: 'command', id: 'c', command: 'x' },
          { type: 'promptString' },
          { type: 'pickString', id: 'p', options: [] },
          { type: 'pickString', id: 'q', options: ['a', 1] },
          { type: 'other', id: 'o', options: ['a'] },
        ],
      }),
      [
        'input c: commandInput',
        'input : badInput',
        'input p: badInput',
        'input q: badInput',
        'input o: badInput',
      ],
    );
  });

  it('MC-6: gives nothing of a file with a syntax error, but its line', () => {
    const { servers, syntaxError } = parseMcpConfig(
      '{\n "servers": {\n  "a": { "command": "x", "args": ["--safe" }\n }}',
    );
    assert.deepEqual(servers, []);
    assert.equal(syntaxError, 3);
  });

  it('MC-1: takes an empty file, and one of another shape, as no servers', () => {
    for (const text of ['', ' \n', '// later', '[]', 'null', '{"servers":[{"command":"x"}],"inputs":{}}'])
      assert.deepEqual(parseMcpConfig(text).servers, [], text);
    assert.equal(parseMcpConfig('// later').syntaxError, undefined);
  });
});
