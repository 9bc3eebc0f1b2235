import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PermissionRule, RuleEffect } from '../../../src/core/permission/rules';
import { ALWAYS, CANCELLED, NEVER, NO, ONCE, RuleHarness, selected } from './permissionHarness';

const allowTest: PermissionRule = { effect: 'allow', command: 'npm test' };
const denyTest: PermissionRule = { effect: 'deny', command: 'npm test' };

describe('permissions by rules', () => {
  it('PE-4 a rule that allows answers at once, and the card and the list of decisions say which', async () => {
    const harness = new RuleHarness(allowTest);
    assert.deepEqual(await harness.run('npm test'), selected('once'));
    assert.deepEqual(harness.asked, []);
    const [card] = harness.cards();
    assert.equal(card?.rule, 'npm test');
    assert.deepEqual(card.outcome, ONCE);
    assert.deepEqual(harness.audit, [
      {
        at: 5,
        agent: 'agent-s',
        session: 'title s',
        what: 'npm test',
        effect: 'allow',
        rules: ['npm test'],
        scope: 'user',
      },
    ]);
  });

  it('PE-4 a rule for "npm test" does not answer "npm test && rm -rf x"', async () => {
    const harness = new RuleHarness(allowTest);
    const answer = harness.run('npm test && rm -rf x');
    const { requestId, topic } = await harness.question();
    assert.equal(topic.command, 'npm test && rm -rf x');
    assert.equal(harness.cards()[0]?.outcome, undefined);
    harness.bridge.answer(requestId, 'no');
    assert.deepEqual(await answer, selected('no'));
    assert.deepEqual(harness.audit, []);
  });

  it('PE-4 a rule that denies rejects, and wins over one that allows', async () => {
    const harness = new RuleHarness(allowTest, denyTest);
    assert.deepEqual(await harness.run('npm test'), selected('no'));
    assert.deepEqual(await harness.run('npm test', { options: [ONCE, NEVER] }), selected('never'));
    assert.equal(harness.audit.at(-1)?.effect, 'deny');
    assert.equal(harness.sessions['s']?.tools()[0]?.status, 'rejected');
  });

  it('PE-9 asks where a rule denies and the agent offers no way to reject', async () => {
    const harness = new RuleHarness(denyTest);
    const answer = harness.run('npm test', { options: [ONCE, ALWAYS] });
    const { requestId, offer } = await harness.question();
    assert.equal(offer, undefined);
    harness.bridge.answer(requestId, 'once');
    assert.deepEqual(await answer, selected('once'));
    assert.deepEqual(harness.audit, []);
  });

  it('PE-10 takes "once" before "always", and "always" alone only for a rule that says always', async () => {
    const harness = new RuleHarness(allowTest);
    assert.deepEqual(await harness.run('npm test', { options: [ALWAYS, ONCE, NO] }), selected('once'));
    const answer = harness.run('npm test', { options: [ALWAYS, NO] });
    harness.bridge.answer((await harness.question()).requestId, 'no');
    assert.deepEqual(await answer, selected('no'));
    harness.user.splice(0, 1, { ...allowTest, always: true });
    assert.deepEqual(await harness.run('npm test', { options: [ALWAYS, NO] }), selected('always'));
    assert.deepEqual(await harness.run('npm test', { options: [ONCE, ALWAYS] }), selected('always'));
    assert.deepEqual(await harness.run('npm test', { options: [ONCE, NO] }), selected('once'));
  });

  it('PE-10 of several rules all must say always', async () => {
    const harness = new RuleHarness({ ...allowTest, always: true }, { effect: 'allow', command: 'ls' });
    assert.deepEqual(await harness.run('npm test; ls'), selected('once'));
    assert.equal(harness.cards()[0]?.rule, 'npm test; ls');
  });

  it('PE-4 rules of all scopes count together, those of a session in it alone', async () => {
    const harness = new RuleHarness();
    harness.workspace.push({ effect: 'allow', command: 'ls' });
    await harness.policy.keep('s', [allowTest], 'session');
    assert.deepEqual(await harness.run('npm test && ls'), selected('once'));
    assert.equal(harness.audit[0]?.scope, 'session');
    const other = harness.run('npm test && ls', { key: 't' });
    harness.bridge.answer((await harness.question()).requestId, 'no');
    assert.deepEqual(await other, selected('no'));
  });

  it('PE-4 a rule for a folder does not answer for a link that leads out of it', async () => {
    const harness = new RuleHarness({ effect: 'allow', kind: 'edit', path: 'src/**' });
    const edit = (path: string): Promise<object> => {
      const toolCall = { toolCallId: path, kind: 'edit', locations: [{ path }] };
      return harness.bridge.request(
        { sessionId: 's', toolCall, options: [ONCE, NO] },
        new AbortController().signal,
      );
    };
    assert.deepEqual(await edit('/s/src/a.ts'), selected('once'));
    harness.links['/s/src/link'] = '/etc/passwd';
    const answer = edit('/s/src/link');
    harness.bridge.answer((await harness.question()).requestId, 'no');
    assert.deepEqual(await answer, selected('no'));
  });

  it('PE-4 a rule for the folders of the session does not answer for the home folder or an address', async () => {
    const harness = new RuleHarness({ effect: 'allow', kind: 'read', path: '**' });
    const read = (path: string): Promise<object> => {
      const toolCall = { toolCallId: path, kind: 'read', rawInput: { path } };
      return harness.bridge.request(
        { sessionId: 's', toolCall, options: [ONCE, NO] },
        new AbortController().signal,
      );
    };
    assert.deepEqual(await read('a/b'), selected('once'));
    for (const [index, path] of ['~/.ssh/id', 'file:///etc/passwd', 'ftp://x/y'].entries()) {
      const answer = read(path);
      harness.bridge.answer((await harness.question(index)).requestId, 'no');
      assert.deepEqual(await answer, selected('no'), path);
    }
    assert.deepEqual(harness.asked[1]?.topic.paths, ['/etc/passwd']);
    assert.ok(!harness.asked[0]?.topic.paths[0]?.startsWith('/s/'));
    harness.user.splice(0, 1, { effect: 'deny', path: '~/.ssh' });
    assert.deepEqual(await read('~/.ssh/id'), selected('no'));
    assert.equal(harness.asked.length, 3);
  });

  it('PE-6 shows all of what may be run where the input says it in several ways', async () => {
    const harness = new RuleHarness(allowTest);
    const rawInput = { command: 'npm test', script: 'rm x' };
    const toolCall = { toolCallId: 'c', title: 'Tests', kind: 'execute', rawInput };
    const params = { sessionId: 's', toolCall, options: [ONCE, NO] };
    const answer = harness.bridge.request(params, new AbortController().signal);
    const { topic, requestId } = await harness.question();
    assert.equal(topic.command, 'Tests\nnpm test\nrm x');
    assert.equal(harness.cards()[0]?.command, topic.command);
    harness.bridge.answer(requestId, 'no');
    await answer;
  });

  it('PE-6 PE-8 two questions of one call each say what they are about', async () => {
    const harness = new RuleHarness();
    const answers = [harness.run('rm -rf x'), harness.run('npm test')];
    await harness.question(1);
    assert.deepEqual(
      harness.cards().map(({ command }) => command),
      ['rm -rf x', 'npm test'],
    );
    harness.bridge.cancelSession('s');
    await Promise.all(answers);
  });

  it('PE-6 looks at what the card knows where the request names the call alone', async () => {
    const harness = new RuleHarness(allowTest);
    const announce = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Tests', kind: 'execute' };
    harness.sessions['s']?.wire({ ...announce, rawInput: { command: ['npm', 'test'] } });
    const params = { sessionId: 's', toolCall: { toolCallId: 'c' }, options: [ONCE, NO] };
    assert.deepEqual(await harness.bridge.request(params, new AbortController().signal), selected('once'));
  });

  it('PE-6 an update that comes while the rules are asked is not undone by the question', async () => {
    const harness = new RuleHarness();
    const answer = harness.run('ls', { id: 'c' });
    harness.sessions['s']?.wire({ sessionUpdate: 'tool_call_update', toolCallId: 'c', title: 'Newer' });
    const { requestId } = await harness.question();
    assert.equal(harness.sessions['s']?.tools()[0]?.title, 'Newer');
    harness.bridge.answer(requestId, 'no');
    await answer;
  });

  it('PE-4 asks where the rules can not be asked', async () => {
    const harness = new RuleHarness(allowTest);
    harness.policy.decide = () => Promise.reject(new Error('broken'));
    const answer = harness.run('npm test');
    harness.bridge.answer((await harness.question()).requestId, 'no');
    assert.deepEqual(await answer, selected('no'));
    assert.match(harness.log.join(), /broken/);
  });

  it('PE-4 CA-3 a rule grants nothing in a turn that is being cancelled', async () => {
    const harness = new RuleHarness(allowTest);
    harness.sessions['s']?.apply({ type: 'cancelRequested', at: 1 });
    assert.deepEqual(await harness.run('npm test'), CANCELLED);
    assert.deepEqual(harness.audit, []);
  });

  it('PE-4 CA-3 a cancel while the rules are asked wins', async () => {
    const harness = new RuleHarness(allowTest);
    const answer = harness.run('npm test');
    harness.bridge.cancelSession('s');
    assert.deepEqual(await answer, CANCELLED);
    await new Promise(setImmediate);
    assert.deepEqual([harness.audit, harness.asked, harness.cards()], [[], [], []]);
  });

  it('PE-4 CA-8 what the agent takes back while the rules are asked is not granted', async () => {
    const harness = new RuleHarness(allowTest);
    const abort = new AbortController();
    const answer = harness.run('npm test', { signal: abort.signal });
    abort.abort();
    await assert.rejects(answer, { code: -32800 });
    assert.deepEqual(harness.audit, []);
  });

  it('PE-4 offers rules that would answer from now on, and saves only those', async () => {
    const harness = new RuleHarness();
    const answer = harness.run('npm test');
    const { requestId, offer } = await harness.question();
    assert.deepEqual(offer, [allowTest]);
    assert.deepEqual(harness.cards()[0]?.offer, offer);
    assert.ok(await harness.bridge.keepAndAnswer(requestId, 'once', 'workspace'));
    assert.deepEqual(await answer, selected('once'));
    assert.deepEqual(harness.workspace, [allowTest]);
    assert.deepEqual(await harness.run('npm test'), selected('once'));
    assert.equal(harness.asked.length, 1);
  });

  it('PE-4 saves no rule with an option that rejects, nor one that was not offered', async () => {
    const harness = new RuleHarness({ effect: 'ask', command: 'git' });
    const first = harness.run('npm test', { id: 'a' });
    const second = harness.run('git status', { id: 'b' });
    const third = harness.run('npm test', { id: 'c', options: [ALWAYS, NO] });
    await harness.question(2);
    const requests = [...harness.asked].sort((a, b) => a.requestId.localeCompare(b.requestId));
    assert.deepEqual(
      requests.map(({ offer }) => offer),
      [[allowTest], undefined, undefined],
    );
    for (const [index, optionId] of ['no', 'once', 'always'].entries())
      assert.equal(
        await harness.bridge.keepAndAnswer(requests[index]?.requestId ?? '', optionId, 'user'),
        false,
      );
    assert.equal(harness.user.length, 1);
    assert.equal(harness.bridge.waiting().length, 3);
    harness.bridge.cancelSession('s');
    assert.deepEqual(await Promise.all([first, second, third]), [CANCELLED, CANCELLED, CANCELLED]);
  });

  it('PE-4 leaves the question open where the rule can not be saved', async () => {
    const harness = new RuleHarness();
    const answer = harness.run('npm test');
    const { requestId } = await harness.question();
    harness.refusal = new Error('The disk is full.');
    await assert.rejects(harness.bridge.keepAndAnswer(requestId, 'once', 'user'), /disk is full/);
    assert.equal(harness.bridge.waiting().length, 1);
    harness.bridge.answer(requestId, 'no');
    assert.deepEqual(await answer, selected('no'));
  });

  it('PE-2 a reason goes with a rejection alone', async () => {
    const harness = new RuleHarness();
    const answers = [
      harness.run('ls', { id: 'a' }),
      harness.run('pwd', { id: 'b' }),
      harness.run('id', { id: 'c' }),
    ];
    await harness.question(2);
    const [first, second, third] = harness.bridge.waiting().map(({ requestId }) => requestId);
    harness.bridge.answer(first ?? '', 'once', 'why not');
    harness.bridge.answer(second ?? '', 'no', '  ');
    harness.bridge.answer(third ?? '', 'no', ' use npm ');
    harness.bridge.answer(third ?? '', 'no', 'again');
    assert.deepEqual(await Promise.all(answers), [selected('once'), selected('no'), selected('no')]);
    assert.deepEqual(harness.reasons, [['s', 'use npm']]);
  });

  it('PE-8 questions of two sessions are answered in the other order, each to its own', async () => {
    const harness = new RuleHarness();
    const mine = harness.run('ls', { key: 's' });
    const theirs = harness.run('pwd', { key: 't' });
    await harness.question(1);
    const [first, second] = harness.bridge.waiting();
    assert.deepEqual([first?.key, second?.key], ['s', 't']);
    harness.bridge.answer(second?.requestId ?? '', 'no');
    assert.equal(harness.cards('s')[0]?.outcome, undefined);
    harness.bridge.answer(first?.requestId ?? '', 'once');
    assert.deepEqual(await Promise.all([mine, theirs]), [selected('once'), selected('no')]);
  });

  it('PE-4 PE-5 whatever the rules and the cancels, each question is answered exactly once', async () => {
    const effect = fc.constantFrom<RuleEffect>('allow', 'ask', 'deny');
    const command = fc.constantFrom('npm test', 'ls', 'rm -rf x', 'npm test && ls');
    const rule = fc.record({ effect, command: fc.constantFrom('npm', 'ls', 'rm') });
    const event = fc.oneof(
      fc.record({ do: fc.constant('run' as const), command, key: fc.constantFrom('s', 't') }),
      fc.record({ do: fc.constant('cancel' as const), key: fc.constantFrom('s', 't') }),
      fc.record({ do: fc.constant('abort' as const), index: fc.nat(5) }),
      fc.record({
        do: fc.constant('answer' as const),
        index: fc.nat(5),
        optionId: fc.constantFrom('once', 'no', 'x'),
      }),
      fc.record({ do: fc.constant('wait' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 4 }),
        fc.array(event, { maxLength: 20 }),
        async (rules, events) => {
          const harness = new RuleHarness(...rules);
          const aborts: AbortController[] = [];
          const answers: Promise<unknown>[] = [];
          for (const item of events) {
            if (item.do === 'wait') await new Promise(setImmediate);
            else if (item.do === 'cancel') harness.bridge.cancelSession(item.key);
            else if (item.do === 'abort') aborts[item.index]?.abort();
            else if (item.do === 'answer') {
              const { requestId } = harness.bridge.waiting()[item.index] ?? {};
              harness.bridge.answer(requestId ?? '', item.optionId);
            } else {
              const abort = new AbortController();
              aborts.push(abort);
              const answer = harness.run(item.command, {
                key: item.key,
                id: `c${aborts.length}`,
                signal: abort.signal,
              });
              answers.push(answer.catch((error: unknown) => error));
            }
          }
          await new Promise(setImmediate);
          harness.bridge.cancelSession('s');
          harness.bridge.cancelSession('t');
          const outcomes = await Promise.all(answers);
          assert.equal(outcomes.length, aborts.length);
          assert.deepEqual(harness.bridge.waiting(), []);
          const cards = [...harness.cards('s'), ...harness.cards('t')];
          assert.deepEqual(harness.answered.toSorted(), cards.map(({ requestId }) => requestId).toSorted());
          // An agent that takes a question back in the moment of its answer learns nothing of it.
          const granted = outcomes.filter((outcome) => JSON.stringify(outcome).includes('"once"')).length;
          const shown = cards.filter(
            ({ outcome }) => outcome !== 'cancelled' && outcome?.kind === 'allow_once',
          );
          assert.ok(granted <= shown.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});
