import assert from 'node:assert/strict';
import type { StdioServer } from '../../../../src/core/mcp/config';
import { inputsOf, resolveServer, type VariableValues } from '../../../../src/core/mcp/variables';

const VALUES: VariableValues = {
  folder: '/proj/shop',
  folders: [
    { name: 'shop', path: '/proj/shop' },
    { name: 'lib', path: '/proj/lib' },
  ],
  userHome: '/home/ann',
  windows: false,
  env: { TOKEN: 't0k', Path: 'p' },
  inputs: new Map([['key', 's3cret']]),
};

const program = (command: string): StdioServer => ({
  transport: 'stdio',
  name: 'x',
  command,
  args: [],
  env: {},
});

function valueOf(text: string, values: Partial<VariableValues> = {}): string | { unknown: string } {
  const resolved = resolveServer(program(text), { ...VALUES, ...values });
  return 'unknown' in resolved ? resolved : resolved.server.command;
}

describe('the variables of mcp.json', () => {
  it('MC-6: are replaced by what they stand for', () => {
    const cases: [text: string, value: string][] = [
      ['${workspaceFolder}/bin', '/proj/shop/bin'],
      ['${workspaceFolder:lib}', '/proj/lib'],
      ['${workspaceFolderBasename}-${workspaceFolderBasename:lib}', 'shop-lib'],
      ['${userHome}${/}x${pathSeparator}y', '/home/ann/x/y'],
      ['Bearer ${env:TOKEN}', 'Bearer t0k'],
      ['<${env:NOT_SET}>', '<>'],
      ['<${env:constructor}>', '<>'],
      ['--key=${input:key}', '--key=s3cret'],
      ['$HOME {plain} $', '$HOME {plain} $'],
    ];
    for (const [text, value] of cases) assert.equal(valueOf(text), value, text);
  });

  it('MC-6: follow the rules of Windows there', () => {
    const values = { windows: true, folder: 'C:\\work\\shop' };
    assert.equal(valueOf('${workspaceFolderBasename}${/}', values), 'shop\\');
    assert.equal(valueOf('${env:PATH}', values), 'p');
    assert.equal(valueOf('${env:PATH}'), '');
  });

  it('MC-6: leave no server half resolved where one is not known', () => {
    const unknown = [
      '${file}',
      '${workspaceFolder:other}',
      '${input:none}',
      '${env}',
      '${}',
      '${config:a.b}',
      '${env:}',
    ];
    for (const text of unknown) assert.deepEqual(valueOf(`${text} \${userHome}`), { unknown: text });
    const noFolder: VariableValues = { ...VALUES };
    delete noFolder.folder;
    assert.deepEqual(resolveServer(program('${workspaceFolder}'), noFolder), {
      unknown: '${workspaceFolder}',
    });
    assert.deepEqual(valueOf('${env:${input:key}}'), { unknown: '${env:${input:key}' });
  });

  it('MC-6: are not looked for in values', () => {
    assert.equal(valueOf('${input:key}', { inputs: new Map([['key', '${env:TOKEN}$&']]) }), '${env:TOKEN}$&');
  });

  it('MC-6: are replaced in every field, and the definition stays as it is', () => {
    const server: StdioServer = {
      ...program('${env:TOKEN}'),
      args: ['${env:TOKEN}'],
      env: { A: '${env:TOKEN}', B: null },
      envFile: '${env:TOKEN}',
      cwd: '${env:TOKEN}',
    };
    const before = structuredClone(server);
    assert.deepEqual(resolveServer(server, VALUES), {
      server: { ...program('t0k'), args: ['t0k'], env: { A: 't0k', B: null }, envFile: 't0k', cwd: 't0k' },
    });
    assert.deepEqual(server, before);
    assert.deepEqual(
      resolveServer(
        { transport: 'http', name: 'w', url: 'https://${env:TOKEN}', headers: { H: '${env:TOKEN}' } },
        VALUES,
      ),
      { server: { transport: 'http', name: 'w', url: 'https://t0k', headers: { H: 't0k' } } },
    );
  });

  it('MC-6: name the inputs that a server needs, each once', () => {
    const server = {
      ...program('${input:b}'),
      args: ['${input:a}${input:b}'],
      env: { X: '${env:input}', Y: '${input:c}' },
    };
    assert.deepEqual(inputsOf(server), ['b', 'a', 'c']);
  });
});
