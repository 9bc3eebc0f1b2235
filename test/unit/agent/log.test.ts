import assert from 'node:assert/strict';
import { logTable } from '../../../src/agent/cli/log';
import type { TimedEvent } from '../../../src/agent/events/event';

describe('table of a log', () => {
  it('is one also of a log of very many events', () => {
    const events = Array.from({ length: 200_000 }, (_, at): TimedEvent => ({
      at,
      type: 'session.cancelled',
    }));
    const lines = logTable(events).split('\n');
    assert.equal(lines.length, events.length + 3);
    assert.match(lines[1] ?? '', /cancelled$/);
  });
});
