import assert from 'node:assert/strict';
import { textOf } from '../../../src/core/session/select';
import { TestSession, text } from '../../support/session';

const texts = (session: TestSession): string[] =>
  session.state.entries.flatMap((entry) => ('blocks' in entry ? [textOf(entry.blocks)] : []));

describe('messages in the session state', () => {
  it('MI-1 joins chunks of one kind', () => {
    assert.deepEqual(texts(new TestSession().prompt().wire(text('Hel'), text('lo'))), ['go', 'Hello']);
  });

  it('MI-1 starts a new message when the message id changes', () => {
    const session = new TestSession()
      .prompt()
      .wire(
        text('a', 'agent_message', 'm1'),
        text('b', 'agent_message', 'm1'),
        text('c', 'agent_message', 'm2'),
      );
    assert.deepEqual(texts(session), ['go', 'ab', 'c']);
  });

  it('MI-1 starts a new message after a model call has ended, for an agent that gives no ids', () => {
    const usage = { sessionUpdate: 'usage_update', used: 10, size: 100 };
    const plain = new TestSession().prompt().wire(text('Do'), text('ne.'), usage, text('# Ne'), text('xt'));
    assert.deepEqual(texts(plain), ['go', 'Done.', '# Next']);
    const withIds = [text('a', 'agent_message', 'm1'), usage, text('b', 'agent_message', 'm1')];
    assert.deepEqual(texts(new TestSession().prompt().wire(...withIds)), ['go', 'ab']);
    assert.deepEqual(texts(new TestSession().prompt().wire(usage, text('a'), text('b'))), ['go', 'ab']);
  });

  it('MI-3 keeps thoughts apart from messages', () => {
    const session = new TestSession().prompt().wire(text('hm', 'agent_thought'), text('a'));
    assert.deepEqual(session.kinds(), ['user', 'thought', 'agent']);
  });

  it('CO-1 drops empty text, which some agents send to carry _meta', () => {
    assert.deepEqual(
      new TestSession().prompt().wire(text('a'), text('', 'agent_thought'), text('b')).kinds(),
      ['user', 'agent'],
    );
  });

  it('MI-2 does not show the echo of a prompt again, in one piece or in several', () => {
    const session = new TestSession()
      .prompt('please start')
      .wire(text('please ', 'user_message'), text('start', 'user_message'));
    assert.deepEqual(texts(session), ['please start']);
    assert.deepEqual(texts(session.wire(text('other', 'user_message'))), ['please start', 'other']);
  });

  it('SU-5 shows what comes after the end of the turn without opening it again', () => {
    const session = new TestSession().prompt().end().wire(text('late'));
    assert.deepEqual(session.kinds(), ['user', 'end', 'agent']);
    assert.equal(session.state.turn.status, 'idle');
  });

  it('CO-7 names blocks that it does not know', () => {
    const session = new TestSession()
      .prompt()
      .wire({ sessionUpdate: 'agent_message_chunk', content: { type: 'hologram' } });
    assert.deepEqual(
      session.state.entries[1] && 'blocks' in session.state.entries[1] && session.state.entries[1].blocks,
      [{ type: 'unknown', name: 'hologram' }],
    );
  });
});
