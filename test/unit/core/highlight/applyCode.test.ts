import assert from 'node:assert/strict';
import { applyCode } from '../../../../src/core/highlight/applyCode';

const FILE = `import { a } from './a';

export function one(): number {
  const x = a();
  return x;
}

export function two(): number {
  const y = a();
  return y;
}
`;

describe('putting a code block into a file', () => {
  it('makes a block for a new or empty file all of it', () => {
    assert.equal(applyCode(undefined, '\nconst a = 1;\n\n'), 'const a = 1;\n');
    assert.equal(applyCode(' \n', 'const a = 1;'), 'const a = 1;\n');
  });

  it('replaces the whole file where the block begins and ends as the file does', () => {
    const block = FILE.replace('const x = a();', 'const x = a() + 1;').replaceAll('y', 'z');
    assert.equal(applyCode(FILE, block), block);
  });

  it('replaces the lines from the first to the last line of the block', () => {
    const block = 'export function one(): number {\n  return a() * 2;\n}\n\nexport function two(): number {';
    assert.equal(
      applyCode(FILE, block),
      FILE.replace('  const x = a();\n  return x;\n', '  return a() * 2;\n'),
    );
  });

  it('ends a part at the first line that closes it, though there are other such lines', () => {
    const block = 'export function one(): number {\n  if (a()) return 1;\n  return 2;\n}';
    assert.equal(
      applyCode(FILE, block),
      FILE.replace('  const x = a();\n  return x;\n', '  if (a()) return 1;\n  return 2;\n'),
    );
  });

  it('moves a block to the right where the file has it further right', () => {
    const file = 'class A {\n  run() {\n    old();\n  }\n\n  stop() {\n  }\n}\n';
    assert.equal(
      applyCode(file, 'run() {\n  fresh();\n\n  more();\n}'),
      'class A {\n  run() {\n    fresh();\n\n    more();\n  }\n\n  stop() {\n  }\n}\n',
    );
  });

  it('needs more lines where the first one is in the file twice', () => {
    const file = 'it(\n  "a",\n  1,\n);\nit(\n  "b",\n  1,\n);\nend();\n';
    assert.equal(applyCode(file, 'it(\n  "b",\n  2,\n);'), file.replace('"b",\n  1', '"b",\n  2'));
  });

  it('keeps the line ends of the file', () => {
    const windows = FILE.replaceAll('\n', '\r\n');
    const block = 'export function two(): number {\n  return 2;\n}';
    const after = applyCode(windows, block);
    assert.equal(
      after,
      FILE.replace('  const y = a();\n  return y;\n', '  return 2;\n').replaceAll('\n', '\r\n'),
    );
  });

  it('gives the same text for a block that is in the file', () => {
    assert.equal(applyCode(FILE, 'export function two(): number {\n  const y = a();\n  return y;\n}'), FILE);
  });

  it('gives up where the block is not in the file, or may be in two places', () => {
    assert.equal(applyCode(FILE, 'export function three(): number {\n  return 3;\n}'), undefined);
    assert.equal(applyCode(FILE, '}'), undefined);
    assert.equal(applyCode('a\nb\na\nb\n', 'a\nc\nb'), undefined);
    assert.equal(applyCode(FILE, 'export function one(): number {\n  return 1;\nnowhere'), undefined);
  });

  it('gives up where a part does not end before the next one begins', () => {
    const file = 'def one():\n    a()\ndef two():\n    b()\nend\n';
    assert.equal(applyCode(file, 'def one():\n    x()\nend of one'), undefined);
  });

  it('gives up where the block leaves code out', () => {
    for (const comment of ['// ... existing code ...', '  # …', '/* ... */', '...', '{/* ... rest */}'])
      assert.equal(
        applyCode(FILE, `export function one(): number {\n${comment}\n  return 3;\n}`),
        undefined,
        comment,
      );
    assert.notEqual(applyCode(FILE, 'export function one(): number {\n  return f(...rest);\n}'), undefined);
  });

  it('does not take a small part for the whole file', () => {
    const file = `start\n${'x\n'.repeat(40)}end\n`;
    assert.equal(applyCode(file, 'start\nend'), 'start\nend\n', 'both lines are in the file once');
    const twice = `{\n${'  x\n'.repeat(40)}}\n{\n}\n`;
    assert.equal(applyCode(twice, '{\n  y\n}'), undefined);
  });
});
