import assert from 'node:assert/strict';
import { patch, TestSession, text, tool } from '../../support/session';

describe('tool calls in the session state', () => {
  it('TC-6 updates the card of a repeated announcement', () => {
    const session = new TestSession().prompt().wire(tool('a', { title: 'One' }), tool('a', { title: 'Two' }));
    assert.deepEqual(
      session.tools().map(({ title }) => title),
      ['Two'],
    );
  });

  it('TC-6 opens a card for an update and for a permission that nobody announced', () => {
    const session = new TestSession()
      .prompt()
      .wire(patch('ghost', { status: 'completed' }))
      .ask('p1', 'late');
    assert.deepEqual(
      session.tools().map(({ toolCallId, status }) => [toolCallId, status]),
      [
        ['ghost', 'completed'],
        ['late', 'waiting'],
      ],
    );
  });

  it('TC-4 leaves what an update does not name or names as null', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'found it' } }];
    const session = new TestSession()
      .prompt()
      .wire(tool('a', { title: 'Look', kind: 'read', content, locations: [{ path: '/x', line: 3 }] }))
      .wire(patch('a', { title: null, kind: null, content: null, locations: null, status: 'completed' }));
    const [card] = session.tools();
    assert.equal(card?.title, 'Look');
    assert.equal(card?.toolKind, 'read');
    assert.deepEqual(card?.content, [{ type: 'block', block: { type: 'text', text: 'found it' } }]);
    assert.deepEqual(card?.locations, [{ path: '/x', line: 3 }]);
    assert.equal(card?.status, 'completed');
  });

  it('TC-4 replaces content and locations as a whole', () => {
    const of = (value: string) => [{ type: 'content', content: { type: 'text', text: value } }];
    const session = new TestSession()
      .prompt()
      .wire(tool('a', { content: of('one') }), patch('a', { content: of('two') }));
    assert.deepEqual(session.tools()[0]?.content, [{ type: 'block', block: { type: 'text', text: 'two' } }]);
  });

  it('TC-10 never sends a finished call back to pending within its turn', () => {
    const session = new TestSession()
      .prompt()
      .wire(tool('a', { status: 'completed' }), tool('a', { status: 'pending' }));
    assert.equal(session.tools()[0]?.status, 'completed');
  });

  it('TC-5 opens a new card where a later turn uses a finished id again', () => {
    const session = new TestSession()
      .prompt()
      .wire(tool('call_1', { status: 'completed' }))
      .end()
      .prompt()
      .wire(tool('call_1', { status: 'pending' }), patch('call_1', { status: 'in_progress' }));
    assert.deepEqual(
      session.tools().map(({ status }) => status),
      ['completed', 'in_progress'],
    );
  });

  it('CA-4 shows open calls as cancelled at once, and a later result wins', () => {
    const session = new TestSession()
      .prompt()
      .wire(tool('a', { status: 'in_progress' }), tool('b'), tool('c', { status: 'completed' }));
    session.apply({ type: 'cancelRequested', at: 2_000 });
    assert.deepEqual(
      session.tools().map(({ status }) => status),
      ['cancelled', 'cancelled', 'completed'],
    );
    session.wire(patch('a', { status: 'in_progress' }));
    assert.equal(session.tools()[0]?.status, 'cancelled');
    session.wire(patch('a', { status: 'completed' }));
    assert.equal(session.tools()[0]?.status, 'completed');
  });

  it('TR-9 shows calls that the end of the turn left open as interrupted', () => {
    assert.equal(
      new TestSession()
        .prompt()
        .wire(tool('a', { status: 'in_progress' }))
        .end()
        .tools()[0]?.status,
      'interrupted',
    );
  });

  it('PE-6 shows a failure after a reject as rejected', () => {
    const session = new TestSession().prompt().wire(tool('a')).ask('p1', 'a');
    assert.equal(session.tools()[0]?.status, 'waiting');
    session.answer('p1', 'no').wire(patch('a', { status: 'failed' }));
    assert.equal(session.tools()[0]?.status, 'rejected');
    session.end();
    assert.equal(session.tools()[0]?.status, 'rejected');
  });

  it('PE-6 is in progress after an allow, and goes on with the status of the wire', () => {
    const session = new TestSession().prompt().wire(tool('a')).ask('p1', 'a').answer('p1', 'yes');
    assert.equal(session.tools()[0]?.status, 'in_progress');
    session.wire(patch('a', { status: 'completed' }));
    assert.equal(session.tools()[0]?.status, 'completed');
  });

  it('TC-3 is in progress as soon as a command prints, whether or not the agent says so', () => {
    const session = new TestSession().prompt().wire(tool('a', { kind: 'execute' }));
    assert.equal(session.tools()[0]?.status, 'pending');
    session.wire(patch('a', { content: [{ type: 'content', content: { type: 'text', text: 'tick' } }] }));
    assert.equal(session.tools()[0]?.status, 'in_progress');
    assert.equal(session.ask('p1', 'a').tools()[0]?.status, 'waiting');
    assert.equal(session.answer('p1', 'no').end().tools()[0]?.status, 'rejected');
  });

  it('CA-3 closes the questions of a cancelled turn', () => {
    const session = new TestSession().prompt().ask('p1', 'a');
    session.apply({ type: 'cancelRequested', at: 2_000 });
    assert.equal(session.tools()[0]?.permissions[0]?.outcome, 'cancelled');
    assert.equal(session.tools()[0]?.status, 'cancelled');
  });

  it('TC-6 does not take a call named like a member of every object for a known one', () => {
    assert.equal(
      new TestSession()
        .prompt()
        .wire(patch('constructor', { status: 'completed' }))
        .tools().length,
      1,
    );
  });

  it('MI-1 starts a new message after a tool call', () => {
    assert.deepEqual(new TestSession().prompt().wire(text('a'), tool('t'), text('b')).kinds(), [
      'user',
      'agent',
      'tool',
      'agent',
    ]);
  });
});
