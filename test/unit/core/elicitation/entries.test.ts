import assert from 'node:assert/strict';
import type { FormView } from '../../../../src/core/elicitation/form';
import { isWaitingForPage } from '../../../../src/core/session/elicitations';
import { applyAction } from '../../../../src/core/session/reduce';
import { openElicitations } from '../../../../src/core/session/select';
import type { ElicitationEntry } from '../../../../src/core/session/state';
import { TestSession } from '../../../support/session';

const entryOf = (session: TestSession, requestId: string): ElicitationEntry => {
  const found = session.state.entries.find(
    (entry): entry is ElicitationEntry => entry.kind === 'elicitation' && entry.requestId === requestId,
  );
  return found ?? assert.fail(`no entry ${requestId}`);
};

const withPage = (): TestSession =>
  new TestSession()
    .prompt()
    .apply({ type: 'elicitationRequested', requestId: 'q', message: 'Sign in', url: 'https://a.b' });

describe('elicitation in the state of a session', () => {
  it('EL-3 EL-15 keeps the question and the kind of the answer alone', () => {
    const form: FormView = { fields: [{ name: 'x', label: 'x', required: false, type: 'boolean' }] };
    const session = new TestSession().prompt();
    session.apply({ type: 'elicitationRequested', requestId: 'q', message: 'Well?', form });
    assert.equal(openElicitations(session.state).length, 1);
    const version = entryOf(session, 'q').version;
    session.apply({ type: 'elicitationAnswered', requestId: 'q', action: 'accept' });
    const entry = entryOf(session, 'q');
    assert.deepEqual(entry, {
      kind: 'elicitation',
      requestId: 'q',
      message: 'Well?',
      form,
      outcome: 'accept',
      id: entry.id,
      turn: 1,
      version: version + 1,
    });
    assert.equal(openElicitations(session.state).length, 0);
  });

  it('EL-4 keeps the first answer of a form', () => {
    const session = new TestSession()
      .prompt()
      .apply(
        { type: 'elicitationRequested', requestId: 'q', message: '', form: { fields: [] } },
        { type: 'elicitationAnswered', requestId: 'q', action: 'accept' },
        { type: 'elicitationAnswered', requestId: 'q', action: 'cancel' },
      );
    assert.equal(entryOf(session, 'q').outcome, 'accept');
  });

  it('EL-26 waits for a page until it is done', () => {
    const session = withPage();
    assert.ok(!isWaitingForPage(entryOf(session, 'q')));
    session.apply({ type: 'elicitationAnswered', requestId: 'q', action: 'accept' });
    assert.ok(isWaitingForPage(entryOf(session, 'q')));
    session.apply({ type: 'elicitationCompleted', requestId: 'q' });
    assert.ok(!isWaitingForPage(entryOf(session, 'q')));
    session.apply({ type: 'elicitationAnswered', requestId: 'q', action: 'cancel' });
    assert.equal(entryOf(session, 'q').outcome, 'accept');
  });

  it('EL-26 waits no more for a page that the person gave up', () => {
    const session = withPage().apply(
      { type: 'elicitationAnswered', requestId: 'q', action: 'accept' },
      { type: 'elicitationAnswered', requestId: 'q', action: 'cancel' },
    );
    assert.equal(entryOf(session, 'q').outcome, 'cancel');
    assert.ok(!isWaitingForPage(entryOf(session, 'q')));
  });

  it('EL-7 names the changed entry, and does not mind an unknown question', () => {
    const session = withPage();
    const touched: string[] = [];
    const apply = (requestId: string): void =>
      applyAction(
        session.state,
        { type: 'elicitationAnswered', requestId, action: 'decline' },
        (part) => void touched.push(part),
      );
    apply('other');
    assert.deepEqual(touched, []);
    apply('q');
    assert.deepEqual(touched, [`entry:${entryOf(session, 'q').id}`, 'turn']);
  });
});
