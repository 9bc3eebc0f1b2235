import assert from 'node:assert/strict';
import { interpreterOf, missingProgram } from '../../../../src/core/launch/missingProgram';

describe('the program that an agent did not find', () => {
  const complaints: [printed: string, name: string | undefined][] = [
    ['/usr/bin/env: ‘node’: No such file or directory', 'node'],
    ["env: 'node': No such file or directory", 'node'],
    ['env: node: No such file or directory', 'node'],
    ['some noise\n/home/me/bin/agent: 15: exec: node: not found\n', 'node'],
    ['/home/me/bin/agent: line 3: exec: uv: not found', 'uv'],
    ['bash: line 1: gemini: command not found', 'gemini'],
    ['sh: 1: gemini: not found', 'gemini'],
    [
      "'node' is not recognized as an internal or external command,\r\noperable program or batch file.",
      'node',
    ],
    ['zsh:1: command not found: gemini', 'gemini'],
    ['config file not found\nplease sign in first', undefined],
    ['env: /a/b: Permission denied', undefined],
    ['', undefined],
  ];
  for (const [printed, name] of complaints) {
    it(`TR-9 is ${name ?? 'not known'} where it printed ${JSON.stringify(printed.slice(0, 50))}`, () => {
      assert.equal(missingProgram(printed, 127), name);
    });
  }

  it('TR-9 is not guessed from another exit code, but for what cmd.exe says', () => {
    assert.equal(missingProgram('model: not found', 1), undefined);
    assert.equal(missingProgram("'node' is not recognized as an internal or external command,", 1), 'node');
  });

  it('is what the first line of a script names', () => {
    const of = (line: string): string | undefined => interpreterOf(`${line}\nrest`);
    assert.equal(of('#!/usr/bin/env node'), 'node');
    assert.equal(of('#!/usr/bin/env -S A=1 deno run'), 'deno');
    assert.equal(of('#! /opt/node/bin/node --flag'), '/opt/node/bin/node');
    assert.equal(of('#!/bin/sh\r'), '/bin/sh');
    assert.equal(of('console.log(1)'), undefined);
    assert.equal(interpreterOf('\u007fELF'), undefined);
  });
});
