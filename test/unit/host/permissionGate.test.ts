import assert from 'node:assert/strict';
import type { PermissionRule } from '../../../src/core/permission/rules';
import { WireError } from '../../../src/core/errors';
import { ActionGate } from '../../../src/host/permission/actionGate';
import { ALWAYS, NO, ONCE, RuleHarness } from './permissionHarness';

class GateHarness extends RuleHarness {
  constructor(...user: PermissionRule[]) {
    super(...user);
    for (const key of ['s', 't'])
      this.sessions[key]?.apply({
        type: 'sessionOpened',
        sessionId: 'x',
        cwd: `/${key}`,
        config: [],
        fresh: false,
      });
  }

  readonly refused: [string, string, string][] = [];
  readonly gate = new ActionGate({
    policy: this.policy,
    permissions: this.bridge,
    refused: (...told) => this.refused.push(told),
    texts: { title: (act, what) => `${act} ${what}`, allow: () => 'Allow once', reject: () => 'Reject' },
  });

  command(line: string): Promise<void> {
    return this.gate.command('s', { command: { line }, cwd: '/s' });
  }

  /** The person allows a command that the agent asks for. */
  async allow(command: string, optionId = 'once'): Promise<void> {
    const answer = this.run(command, { options: [ONCE, ALWAYS, NO], id: `c${this.asked.length}` });
    const { requestId } = await this.question(this.asked.length);
    this.bridge.answer(requestId, optionId);
    await answer;
  }
}

const deny: PermissionRule = { effect: 'deny', command: 'rm' };
const ask: PermissionRule = { effect: 'ask', command: 'npm' };
const refusal = (error: unknown): boolean => error instanceof WireError && error.code === -32603;

describe('what agents do without asking', () => {
  it('TE-1 PE-4 runs at once where no rule says otherwise', async () => {
    const harness = new GateHarness(deny, ask);
    await harness.command('ls');
    await harness.gate.file('s', { kind: 'edit', path: '/s/a' });
    assert.deepEqual([harness.asked, harness.audit, harness.refused], [[], [], []]);
  });

  it('PE-4 is refused by a rule that denies, with one line in the transcript and in the list of decisions', async () => {
    const harness = new GateHarness(deny, { effect: 'deny', kind: 'read', path: '**/.env' });
    await assert.rejects(harness.command('ls && rm -rf x'), refusal);
    await assert.rejects(harness.gate.file('s', { kind: 'read', path: '/s/.env' }), refusal);
    await assert.rejects(harness.gate.command('s', { command: { argv: ['rm', 'x'] }, cwd: '/s' }), refusal);
    await harness.gate.file('s', { kind: 'edit', path: '/s/.env' });
    assert.deepEqual(harness.refused, [
      ['s', 'ls && rm -rf x', 'rm'],
      ['s', '/s/.env', 'read **/.env'],
      ['s', 'rm x', 'rm'],
    ]);
    assert.deepEqual(
      harness.audit.map(({ effect, what }) => [effect, what]),
      [
        ['deny', 'ls && rm -rf x'],
        ['deny', '/s/.env'],
        ['deny', 'rm x'],
      ],
    );
  });

  it('PE-4 is asked where a rule says ask, and runs only after a yes', async () => {
    const harness = new GateHarness(ask);
    const refused = assert.rejects(harness.command('npm test'), refusal);
    const first = await harness.question();
    assert.deepEqual([first.topic.command, first.topic.cwd, first.offer], ['npm test', '/s', undefined]);
    assert.equal(harness.sessions['s']?.tools()[0]?.status, 'waiting');
    harness.bridge.answer(first.requestId, 'reject');
    await refused;
    const allowed = harness.command('npm test');
    harness.bridge.answer((await harness.question(1)).requestId, 'allow');
    await allowed;
    assert.deepEqual(
      harness.sessions['s']?.tools().map(({ status }) => status),
      ['rejected', 'completed'],
    );
  });

  it('PE-4 is always asked before the settings that hold the rules are changed', async () => {
    const harness = new GateHarness(
      { effect: 'allow', kind: 'edit' },
      { effect: 'allow', kind: 'edit', path: '**' },
    );
    harness.links['/s/link'] = '/s/.vscode/settings.json';
    const paths = [
      ...['/s/.vscode/settings.json', '/s/a.code-workspace', '/s/link', '/s/.vscode'],
      ...['/home/me/.config/Code/User/settings.json', '/home/me/.config/Code/User/profiles/a1/settings.json'],
      '/home/me/.vscode-server/data/Machine/settings.json',
    ];
    for (const [index, path] of paths.entries()) {
      const refused = assert.rejects(harness.gate.file('s', { kind: 'edit', path }), refusal);
      harness.bridge.answer((await harness.question(index)).requestId, 'reject');
      await refused;
    }
    await harness.gate.file('s', { kind: 'read', path: paths[0] ?? '' });
    await harness.gate.file('s', { kind: 'edit', path: '/s/settings.json' });
    assert.equal(harness.asked.length, paths.length);
  });

  it('PE-5 is not run, and nothing is asked, where its session was closed meanwhile', async () => {
    const harness = new GateHarness(ask);
    const refused = assert.rejects(harness.command('npm test'), refusal);
    delete harness.sessions['s'];
    await refused;
    assert.deepEqual([harness.asked, harness.bridge.waiting()], [[], []]);
  });

  it('PE-5 is not run where its question is cancelled', async () => {
    const harness = new GateHarness(ask);
    const refused = assert.rejects(harness.command('npm test'), refusal);
    await harness.question();
    harness.bridge.cancelSession('s');
    await refused;
    harness.sessions['s']?.apply({ type: 'cancelRequested', at: 1 });
    await assert.rejects(harness.command('npm test'), refusal);
    assert.equal(harness.asked.length, 1);
  });

  it('PE-4 is not asked twice for what the person just allowed by hand, once', async () => {
    const harness = new GateHarness(ask);
    await harness.allow('npm test');
    await harness.gate.command('s', { command: { argv: ['npm', 'test'] }, cwd: '/s' });
    assert.equal(harness.asked.length, 1);
    const again = assert.rejects(harness.command('npm test'), refusal);
    harness.bridge.answer((await harness.question(1)).requestId, 'reject');
    await again;
  });

  it('PE-4 is not asked again for a file that the person allowed to be changed, by whatever form of its path', async () => {
    const harness = new GateHarness({ effect: 'ask', path: 'src/**' });
    const toolCall = {
      toolCallId: 'e',
      kind: 'edit',
      locations: [{ path: 'src/../src/a.ts' }, { path: '/s/src/a.ts' }],
    };
    const params = { sessionId: 's', toolCall, options: [ONCE, NO] };
    const answer = harness.bridge.request(params, new AbortController().signal);
    const { requestId, topic } = await harness.question();
    assert.deepEqual(topic.paths, ['/s/src/a.ts']);
    harness.bridge.answer(requestId, 'once');
    await answer;
    await harness.gate.file('s', { kind: 'edit', path: '/s/src/a.ts' });
    await harness.gate.file('s', { kind: 'edit', path: '/s/src/a.ts' });
    const refused = assert.rejects(harness.gate.file('s', { kind: 'read', path: '/s/src/a.ts' }), refusal);
    harness.bridge.answer((await harness.question(1)).requestId, 'reject');
    await refused;
  });

  it('PE-7 is not asked again in the turn for what the person allowed for always', async () => {
    const harness = new GateHarness(ask);
    await harness.allow('npm test', 'always');
    await harness.command('npm test');
    await harness.command('npm test');
    assert.equal(harness.asked.length, 1);
    harness.sessions['s']?.end().prompt();
    const asked = assert.rejects(harness.command('npm test'), refusal);
    harness.bridge.answer((await harness.question(1)).requestId, 'reject');
    await asked;
  });

  it('PE-4 is asked after a rejection, for another command, in another folder, and in another session', async () => {
    const harness = new GateHarness(ask);
    await harness.allow('npm test', 'no');
    await harness.allow('npm run x');
    const runs = [
      harness.command('npm test'),
      harness.command('npm test x'),
      harness.gate.command('s', { command: { line: 'npm run x' }, cwd: '/tmp' }),
      harness.gate.command('t', { command: { line: 'npm test' }, cwd: '/t' }),
    ].map((run) => assert.rejects(run, refusal));
    await harness.question(5);
    for (const { requestId } of harness.bridge.waiting()) harness.bridge.answer(requestId, 'reject');
    await Promise.all(runs);
  });

  it('PE-6 shows a question of Parley on a card that no agent can change', async () => {
    const harness = new GateHarness();
    const diff = { path: '/s/a', oldText: 'mine\n', newText: 'theirs\n' };
    const options = [{ optionId: 'mine', name: 'Keep mine', kind: 'reject_once' as const }];
    const answer = harness.bridge.askOwn('s', { title: 'Both changed', kind: 'edit', diff }, options);
    const { requestId, topic } = await harness.question();
    const [card] = harness.sessions['s']?.tools() ?? [];
    assert.match(card?.toolCallId ?? '', /^parley-[\da-f-]{36}$/);
    assert.deepEqual([card?.content[0]?.type, topic.paths], ['diff', ['/s/a']]);
    harness.bridge.answer(requestId, 'mine');
    assert.equal(await answer, 'mine');
  });

  it('CA-8 a question of Parley ends with what it was asked for', async () => {
    const harness = new GateHarness();
    const abort = new AbortController();
    const answer = harness.bridge.askOwn('s', { title: 'x', kind: 'edit' }, [], abort.signal);
    await harness.question();
    abort.abort();
    assert.equal(await answer, undefined);
    assert.equal(harness.sessions['s']?.tools()[0]?.status, 'failed');
  });
});
