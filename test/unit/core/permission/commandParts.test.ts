import assert from 'node:assert/strict';
import { argvParts, commandParts, ruleWords } from '../../../../src/core/permission/commandParts';

const parts = (line: string): string[] => commandParts(line, false).parts.map((words) => words.join(' '));
const sure = (line: string, windows = false): boolean => commandParts(line, windows).sure;

/** Numbers that look random and are the same in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('the parts of a command', () => {
  it('PE-4 splits at every operator', () => {
    assert.deepEqual(parts('a 1; b && c || d | e |& f & g\nh'), ['a 1', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    assert.ok(sure('a 1; b && c || d | e |& f & g\nh'));
    assert.deepEqual(parts('a && \n b'), ['a', 'b']);
  });

  it('PE-4 finds what runs inside substitutions, groups and quotes', () => {
    assert.deepEqual(parts('echo $(rm x)')[0], 'rm x');
    assert.deepEqual(parts('echo "a $(rm "x") b"')[0], 'rm x');
    assert.deepEqual(parts('echo `ls \\`pwd\\``').slice(0, 2), ['pwd', 'ls `pwd`']);
    assert.deepEqual(parts('diff <(a b) >(c d)').slice(0, 2), ['a b', 'c d']);
    assert.deepEqual(parts('(cd x; ls) && { a; b; }'), ['cd x', 'ls', 'a', 'b']);
    assert.deepEqual(parts('echo ${X:-$(rm y)}')[0], 'rm y');
    assert.ok(sure('(cd x; ls) && { a; b; }'));
  });

  it('unquotes words and joins continued lines', () => {
    assert.deepEqual(commandParts(`echo 'a;b' "c d" \\; e#f \\\n g # h`, false), {
      parts: [['echo', 'a;b', 'c d', ';', 'e#f', 'g']],
      sure: true,
    });
  });

  it('PE-4 puts the script of a shell in the place of its call', () => {
    for (const call of ['bash -c', 'bash -lc', 'sh -c', 'zsh -c', '/bin/bash -lc', '/usr/bin/env bash -c'])
      assert.ok(parts(`${call} "npm test && rm x"`).includes('rm x'), call);
    assert.deepEqual(commandParts('/bin/bash -lc "npm test"', false), {
      parts: [['npm', 'test']],
      sure: true,
    });
    assert.deepEqual(argvParts(['bash', '-c', `sh -c 'a; b'`], false), { parts: [['a'], ['b']], sure: true });
    for (const line of [
      './bash -c ls',
      'sudo bash -c ls',
      'cmd /c "rm x"',
      'powershell -Command "rm x"',
      'bash -c a b',
    ])
      assert.equal(sure(line), false, line);
    assert.ok(parts('powershell -Command "rm x"').includes('rm x'));
  });

  it('is sure of redirections that write no file', () => {
    for (const line of ['a 2>&1', 'a >/dev/null 2>/dev/null', 'a &>/dev/null', 'a 2>&- < in.txt'])
      assert.deepEqual(commandParts(line, false), { parts: [['a']], sure: true }, line);
  });

  const unsure = [
    ...[
      'a > f',
      'a >> f',
      'a &> f',
      'a >& f',
      'a <> f',
      'a > /dev/null2',
      'a <<E\nb\nE',
      'a <<< b',
      'a < /dev/tcp/h/1',
    ],
    ...[
      `echo 'a\\' 'b; rm x'`,
      'A=b c',
      'A=b',
      'A+=b c',
      'eval "a"',
      'source a',
      '. a',
      'alias a=b',
      'export A=b',
      'trap "a" EXIT',
    ],
    ...[
      'if a; then b; fi',
      'for x in a; do b; done',
      'while a; do b; done',
      'case a in a) b;; esac',
      '! a',
      '[[ a ]]',
    ],
    ...[
      'f() { a; }',
      'function f { a; }',
      'echo "a',
      "echo 'a",
      'echo `a',
      'echo $(a',
      '(a',
      'a)',
      '{ a',
      'a; }',
      'a \\',
    ],
    ...[
      'echo hi!',
      'echo "hi!"',
      '$X a',
      '${X} a',
      '"$X" a',
      '$(a) b',
      '`a` b',
      'l* a',
      'l? a',
      '[ab]c d',
      '=ls',
      '~u/a',
    ],
    ...[
      '{a,b} c',
      'git {a,b}',
      "$'a' b",
      'echo $"a"',
      'echo ${X:-a}',
      'echo $((1+2))',
      '((1+2))',
      'a(b)',
      '"" a',
    ],
    ...[
      '&& a',
      'a &&',
      'a | ',
      'a;;b',
      '; a',
      'a\r',
      'a\u0000b',
      'a\u00a0b',
      'a\u202eb',
      '',
      '   ',
      '# a',
      '2>&1',
    ],
  ];
  for (const line of unsure)
    it(`is not sure of ${JSON.stringify(line)}`, () => {
      assert.equal(sure(line), false);
    });

  it('is sure of arguments that expand to data alone', () => {
    for (const line of [
      '~/a b',
      'echo "$HOME" $X ${X} $? *.ts',
      'git log --format="%h"',
      'find . -name "*.{a,b}" -print',
    ])
      assert.ok(sure(line), line);
  });

  it('keeps the commands of what it is not sure of, for rules that deny', () => {
    for (const line of [
      'if a; then rm x; fi',
      'A=b rm x',
      'eval "rm x"',
      'cat <<E\nrm x\nE',
      'f() { a; }; rm x',
      '! rm x',
    ])
      assert.ok(parts(line).includes('rm x'), line);
  });

  it('on Windows is not sure of what cmd, PowerShell and bash read differently', () => {
    for (const line of [
      'echo %X%',
      'a ^& b',
      'a `b`',
      `echo 'a & b'`,
      'echo $x',
      'a\\ b',
      '"a\\" b',
      'a @b',
      '(a)',
      '"a\u201c; rm x; \u201cb"',
    ])
      assert.equal(sure(line, true), false, line);
    assert.deepEqual(commandParts('dir C:\\x && npm test', true), {
      parts: [
        ['dir', 'C:\\x'],
        ['npm', 'test'],
      ],
      sure: true,
    });
  });

  it('is not sure of arguments that would be operators if somebody joined them', () => {
    const joined = argvParts(['npm', 'test', '&&', 'rm', 'x'], false);
    assert.equal(joined.sure, false);
    assert.deepEqual(joined.parts.at(-1), ['rm', 'x']);
    assert.deepEqual(argvParts(['git', 'log', '-1'], false), { parts: [['git', 'log', '-1']], sure: true });
    assert.deepEqual(argvParts([], false), { parts: [], sure: false });
  });

  it('reads the words of a rule only from one plain command', () => {
    assert.deepEqual(ruleWords('npm  run "a b"', false), ['npm', 'run', 'a b']);
    assert.deepEqual(ruleWords('bash -c "ls"', false), ['bash', '-c', 'ls']);
    for (const command of ['a; b', 'a > f', '$X', ''])
      assert.equal(ruleWords(command, false), undefined, command);
  });

  it('PE-4 gives exactly the commands that were joined, whatever joins them', () => {
    const random = randomFrom(7);
    const known = [
      ['npm', 'test'],
      ['git', 'log', '-1'],
      ['echo', 'a b; c'],
      ['ls'],
      ['grep', "it's", 'x y'],
    ];
    const operators = [
      '; ',
      ';',
      ' && ',
      '&&',
      ' || ',
      ' | ',
      '|',
      ' |& ',
      ' & ',
      '\n',
      ' \\\n&& ',
      ' 2>&1 | ',
    ];
    const quote = (word: string): string =>
      /^[\w-]+$/.test(word) && random(2) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
    for (let run = 0; run < 500; run++) {
      const chosen = Array.from({ length: 1 + random(6) }, () => known[random(known.length)] ?? []);
      const line = chosen
        .map(
          (words, index) =>
            (index ? (operators[random(operators.length)] ?? '') : '') + words.map(quote).join(' '),
        )
        .join('');
      assert.deepEqual(commandParts(line, false), { parts: chosen, sure: true }, line);
    }
  });

  it('PE-4 never hides a command that was put in at any place', () => {
    const lines = [
      'npm test',
      'echo "a b" c',
      "echo 'a b' c",
      'a && b | c',
      'echo $(ls -l) `pwd`',
      'a \\\n b # c',
      '(a; b)',
    ];
    const inserts = [
      '; rm -rf x',
      ';rm -rf x;',
      '&& rm -rf x',
      '\nrm -rf x\n',
      '$(rm -rf x)',
      '`rm -rf x`',
      '| rm -rf x',
    ];
    const odd = (text: string, mark: string): boolean => text.split(mark).length % 2 === 0;
    /** Where the shell itself takes what is put in as text. */
    const isText = (before: string, insert: string): boolean =>
      odd(before, "'") ||
      /#|\\$/.test(before) ||
      (odd(before, '"') && !/^[$`]/.test(insert)) ||
      (odd(before, '`') && insert.startsWith('`'));
    for (const line of lines)
      for (const insert of inserts)
        for (let at = 0; at <= line.length; at++) {
          const whole = line.slice(0, at) + insert + line.slice(at);
          const found = commandParts(whole, false);
          const hidden = isText(line.slice(0, at), insert);
          const seen = found.parts.some((words) => words[0]?.startsWith('rm'));
          assert.ok(seen || !found.sure || hidden, whole);
        }
  });

  it('never throws and never takes long', () => {
    const random = randomFrom(11);
    const pieces = [
      '$(',
      ')',
      '`',
      '"',
      "'",
      '\\',
      '\n',
      '{',
      '}',
      '<<',
      '>',
      '&',
      '|',
      ';',
      'a',
      ' ',
      '$',
      '#',
      '(',
      '\u{1F600}',
    ];
    for (let run = 0; run < 3_000; run++) {
      const line = Array.from({ length: random(30) }, () => pieces[random(pieces.length)] ?? '').join('');
      for (const windows of [false, true]) commandParts(line, windows);
      argvParts(line.split(' '), false);
    }
    const started = performance.now();
    for (const piece of [...pieces, '{,', 'bash -c ', '((', '`\\`', 'a='])
      commandParts(piece.repeat(Math.floor(20_000 / piece.length)), false);
    assert.ok(performance.now() - started < 3_000);
    assert.equal(sure('a'.repeat(20_001)), false);
  });
});
