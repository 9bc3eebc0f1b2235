import assert from 'node:assert/strict';
import { fenceInfo, pathInCode } from '../../../../src/core/highlight/fenceInfo';
import { editorLanguage, grammarOf, grammars } from '../../../../src/core/highlight/languages';

describe('what the first line of a fence says', () => {
  const cases: [string, string, string?][] = [
    ['', ''],
    ['ts', 'ts'],
    ['ts src/a.ts', 'ts', 'src/a.ts'],
    ['ts:src/a.ts', 'ts', 'src/a.ts'],
    ['c++:lib/a.cc', 'c++', 'lib/a.cc'],
    ['tsx title="src/my.tsx" {1,3}', 'tsx', 'src/my.tsx'],
    ['js {1,3} showLineNumbers', 'js'],
    ['10:20:src/a.py', 'py', 'src/a.py'],
    ['src/lib/a.rs', 'rs', 'src/lib/a.rs'],
    ['ts C:\\work\\a.ts', 'ts', 'C:\\work\\a.ts'],
    ['md https://example.com/a.md', 'md'],
    ['asp.net', 'asp.net'],
    ['sh npm run', 'sh'],
  ];
  for (const [info, language, path] of cases)
    it(`reads "${info}"`, () =>
      assert.deepEqual(fenceInfo(info), path === undefined ? { language } : { language, path }));

  it('finds the file that a comment in the first line names, and nothing else', () => {
    assert.equal(pathInCode('// src/a.ts\ncode'), 'src/a.ts');
    assert.equal(pathInCode('# File: tools/run.py'), 'tools/run.py');
    assert.equal(pathInCode('<!-- index.html -->\n<p>'), 'index.html');
    assert.equal(pathInCode('/* a/b.css */'), 'a/b.css');
    assert.equal(pathInCode('-- schema.sql'), 'schema.sql');
    for (const code of [
      '// see src/a.ts',
      '#!/bin/sh',
      '# Title',
      'src/a.ts',
      '// https://example.com/a.ts',
      'x\n// a.ts',
    ])
      assert.equal(pathInCode(code), undefined, code);
  });
});

describe('names of languages', () => {
  it('knows what agents call them', () => {
    assert.equal(grammarOf('TS'), 'typescript');
    assert.equal(grammarOf('c#'), 'csharp');
    assert.equal(grammarOf('bash'), 'shellscript');
    assert.equal(grammarOf('text'), undefined);
    assert.equal(grammarOf('constructor'), undefined);
  });

  it('knows what the editor calls them', () => {
    assert.equal(editorLanguage('tsx'), 'typescriptreact');
    assert.equal(editorLanguage('sh'), 'shellscript');
    assert.equal(editorLanguage('fortran'), 'fortran');
    assert.equal(editorLanguage(''), undefined);
  });

  it('has no grammar by a name that a page could not ask for', () => {
    for (const name of grammars) assert.match(name, /^[a-z][a-z0-9-]{0,30}$/);
  });
});
