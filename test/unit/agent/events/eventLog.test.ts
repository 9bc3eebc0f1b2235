import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WireError } from '../../../../src/core/errors';
import { EventLog, parseEvents, readEvents } from '../../../../src/agent/events/eventLog';

describe('event log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-log-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps one event a line with its time, for the person alone', () => {
    const file = join(folder, 'a', 'events.jsonl');
    const log = new EventLog(file, 0, () => 7);
    log.append({ type: 'session.title', title: 'two\nlines' });
    log.append({ type: 'session.cancelled' });
    assert.equal(readFileSync(file, 'utf8').split('\n').length, 3);
    assert.deepEqual(readEvents(file).events, [
      { at: 7, type: 'session.title', title: 'two\nlines' },
      { at: 7, type: 'session.cancelled' },
    ]);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('goes on behind half a line of a process that was killed', () => {
    const file = join(folder, 'b', 'events.jsonl');
    new EventLog(file, 0, () => 1).append({ type: 'session.title', title: 'one' });
    appendFileSync(file, '{"at":2,"type":"session.ti');
    new EventLog(file, readEvents(file).size, () => 3).append({ type: 'session.title', title: 'three' });
    assert.deepEqual(
      readEvents(file).events.map(({ at }) => at),
      [1, 3],
    );
  });

  it('writes no more to a file that someone else wrote to, or deleted', () => {
    const file = join(folder, 'c', 'events.jsonl');
    const log = new EventLog(file, 0, () => 1);
    log.append({ type: 'session.cancelled' });
    new EventLog(file, readEvents(file).size, () => 2).append({ type: 'session.cancelled' });
    const isLost = (error: unknown): boolean => error instanceof WireError && error.code === -32002;
    assert.throws(() => log.append({ type: 'session.cancelled' }), isLost);
    const other = new EventLog(file, readEvents(file).size, () => 3);
    rmSync(file);
    assert.throws(() => other.append({ type: 'session.cancelled' }), isLost);
  });

  it('says in a sentence where it can not be written', () => {
    const log = new EventLog(join(folder, 'a', 'events.jsonl', 'x', 'events.jsonl'), 0, () => 1);
    assert.throws(
      () => log.append({ type: 'session.cancelled' }),
      /The session can't be kept in .*This is not a folder/,
    );
  });

  it('leaves out what is no event', () => {
    assert.deepEqual(parseEvents('\n[]\n"x"\n{"a":1}\n{"type":7}\n{"type":"session.cancelled","at":1}\n{'), [
      { type: 'session.cancelled', at: 1 },
    ]);
  });
});
