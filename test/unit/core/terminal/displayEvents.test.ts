import assert from 'node:assert/strict';
import { readDisplayEvents } from '../../../../src/core/terminal/displayEvents';

describe('readDisplayEvents', () => {
  it('EX-1 reads start, output and exit, in the order in which they happened', () => {
    assert.deepEqual(
      readDisplayEvents({
        terminal_exit: { exit_code: 0, signal: null, terminal_id: 't' },
        terminal_output: { data: 'x\n', terminal_id: 't' },
        terminal_info: { cwd: '/w', terminal_id: 't' },
      }),
      [
        { type: 'started', terminalId: 't', cwd: '/w' },
        { type: 'output', terminalId: 't', text: 'x\n' },
        { type: 'exited', terminalId: 't', code: 0, signal: null },
      ],
    );
  });

  it('EX-1 takes output under its other name, and an end by a signal', () => {
    assert.deepEqual(readDisplayEvents({ terminal_output_delta: { data: 'y', terminal_id: 't' } }), [
      { type: 'output', terminalId: 't', text: 'y' },
    ]);
    assert.deepEqual(
      readDisplayEvents({ terminal_exit: { terminal_id: 't', exit_code: null, signal: 'SIGTERM' } }),
      [{ type: 'exited', terminalId: 't', code: null, signal: 'SIGTERM' }],
    );
  });

  it('EX-1 leaves out what is malformed', () => {
    const malformed = [null, 'x', 1, [], {}, { terminal_id: 1, data: 'x' }, { data: 'x' }];
    for (const value of malformed) {
      assert.deepEqual(
        readDisplayEvents({ terminal_info: value, terminal_output: value, terminal_exit: value }),
        [],
      );
    }
    assert.deepEqual(readDisplayEvents({ terminal_output: { terminal_id: 't', data: 5 } }), []);
    assert.deepEqual(readDisplayEvents({ other: { terminal_id: 't' } }), []);
  });
});
