import assert from 'node:assert/strict';
import { ProcessTree } from '../../../src/acp/processTree';

describe('the tree of processes on Windows', () => {
  const run: string[] = [];
  const windows = {
    platform: 'win32' as const,
    run: (...call: [string, string[]]) => void run.push(call.flat().join(' ')),
  };
  beforeEach(() => (run.length = 0));

  it('TR-8 ends the whole tree by taskkill, once for each kill', () => {
    new ProcessTree(4321, windows).kill();
    assert.deepEqual(run, ['taskkill /pid 4321 /T /F']);
  });

  it('TR-8 knows no softer signal', () => {
    new ProcessTree(4321, windows).signal('SIGTERM');
    assert.deepEqual(run, ['taskkill /pid 4321 /T /F']);
  });

  it('TR-8 leaves an id alone whose process ended: it may be another one by now', () => {
    new ProcessTree(4321, windows).killRest();
    for (const pid of [0, 1, process.pid]) new ProcessTree(pid, windows).kill();
    assert.deepEqual(run, []);
  });
});
