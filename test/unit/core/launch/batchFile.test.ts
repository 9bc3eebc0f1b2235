import assert from 'node:assert/strict';
import { batchStart, isBatchFile, windowsShell } from '../../../../src/core/launch/batchFile';

const ENV = { COMSPEC: 'C:\\Windows\\system32\\cmd.exe' };
const FILE = 'C:\\Program Files\\nodejs\\gemini.cmd';

/** The line that cmd.exe gets after its own switches. */
function line(args: string[], file = FILE): string {
  const start = batchStart(file, args, ENV);
  assert.ok('line' in start, JSON.stringify(start));
  assert.equal(start.shell, ENV.COMSPEC);
  const begin = '/e:ON /v:OFF /d /s /c "';
  assert.ok(start.line.startsWith(begin) && start.line.endsWith('"'));
  return start.line.slice(begin.length, -1);
}

describe('a batch file of Windows', () => {
  it('is one by its ending', () => {
    assert.deepEqual(['a.cmd', 'a.BAT', 'a.exe', 'cmd'].map(isBatchFile), [true, true, false, false]);
  });

  it('is run by cmd with each argument as it is', () => {
    assert.equal(line(['--acp', '-m=x']), `"${FILE}" --acp "-m=x"`);
    assert.equal(line(['a b', '', 'C:\\x', 'C:\\a b\\']), `"${FILE}" "a b" "" C:\\x "C:\\a b\\\\"`);
    assert.equal(line(['(a)', 'b;c', "it's"]), `"${FILE}" "(a)" "b;c" "it's"`);
  });

  it('is not run with an argument that cmd would act on', () => {
    for (const arg of ['%PATH%', 'a!b', 'a^', 'a&calc', 'a|b', '<a', '>a', 'say "hi"', 'a\nb', 'a\rb']) {
      assert.deepEqual(batchStart(FILE, ['--acp', arg], ENV), { refused: arg });
    }
  });

  it('may lie in a folder whose name has an ampersand, and not in one that names a variable', () => {
    assert.equal(line([], 'C:\\R&D\\a.cmd'), '"C:\\R&D\\a.cmd"');
    assert.deepEqual(batchStart('C:\\%A%\\a.cmd', [], ENV), { refused: 'C:\\%A%\\a.cmd' });
  });

  it('is run by the cmd of the system where no path of one is named', () => {
    assert.equal(windowsShell({ ComSpec: 'cmd.exe', SYSTEMROOT: 'D:\\Win' }), 'D:\\Win\\System32\\cmd.exe');
    assert.equal(windowsShell({}), 'C:\\Windows\\System32\\cmd.exe');
  });
});
