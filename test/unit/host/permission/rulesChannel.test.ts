import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/core/emitter';
import type { PermissionRule, RuleScope, ScopedRule } from '../../../../src/core/permission/rules';
import { readRulesMessage, type HostToRules } from '../../../../src/core/permission/rulesProtocol';
import { RulesChannel, type RulesSource } from '../../../../src/host/permission/rulesChannel';
import { until } from '../../../vscode/until';

const npmTest: PermissionRule = { effect: 'allow', command: 'npm test' };

class Rules implements RulesSource {
  readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  readonly sessionTitle = undefined;
  readonly workspaceTrusted = true;
  readonly context = { roots: [], home: '/', windows: false, ignoreCase: false };
  readonly agents = ['A'];
  refusal: Error | undefined;
  kept: ScopedRule[] = [{ scope: 'user', rule: npmTest }];

  rules(): ReturnType<RulesSource['rules']> {
    return { rules: this.kept, problems: [] };
  }

  async save(scope: RuleScope, rules: readonly PermissionRule[]): Promise<void> {
    await Promise.resolve();
    if (this.refusal) throw this.refusal;
    this.kept = rules.map((rule) => ({ scope, rule }));
  }

  audit(): [] {
    return [];
  }
}

function connect(rules: Rules) {
  const fromPage = new Emitter<unknown>();
  const sent: HostToRules[] = [];
  const log: string[] = [];
  const page = {
    postMessage: (message: HostToRules) => sent.push(structuredClone(message)),
    onDidReceiveMessage: fromPage.event,
  };
  const channel = new RulesChannel(page, rules, { changed: 'Changed.' }, (line) => log.push(line));
  const replies = (): (string | null)[] =>
    sent.flatMap((message) => (message.type === 'reply' ? [message.error] : []));
  const views = (): ScopedRule[][] =>
    sent.flatMap((message) => (message.type === 'view' ? [message.view.rules] : []));
  return { channel, replies, views, log, receive: (message: unknown) => fromPage.fire(message) };
}

const save = (before: PermissionRule[], rules: PermissionRule[]): object => ({
  type: 'save',
  id: 1,
  scope: 'user',
  before,
  rules,
});

describe('the connection of the rules page', () => {
  it('sends what there is when the page is ready, and again when it changes', async () => {
    const rules = new Rules();
    const { receive, views } = connect(rules);
    rules.changed.fire();
    assert.equal(views().length, 0);
    receive({ type: 'ready' });
    await until('the first view', () => views().length === 1 || undefined);
    rules.kept = [];
    rules.changed.fire();
    await until('the second view', () => views().length === 2 || undefined);
    assert.deepEqual(views()[1], []);
  });

  it('PE-4 saves, and sends what there is before the reply', async () => {
    const rules = new Rules();
    const { receive, replies, views } = connect(rules);
    receive(save([npmTest], []));
    await until('the reply', () => replies().length === 1 || undefined);
    assert.deepEqual([replies(), rules.kept, views().at(-1)], [[null], [], []]);
  });

  it('PE-4 does not overwrite rules that the page has not seen', async () => {
    const rules = new Rules();
    const { receive, replies } = connect(rules);
    receive(save([], [npmTest, { effect: 'allow', command: 'rm' }]));
    await until('the reply', () => replies().length === 1 || undefined);
    assert.deepEqual(replies(), ['Changed.']);
    assert.deepEqual(rules.kept, [{ scope: 'user', rule: npmTest }]);
  });

  it('tells the page why saving failed', async () => {
    const rules = new Rules();
    rules.refusal = new Error('No room.');
    const { receive, replies } = connect(rules);
    receive(save([npmTest], []));
    await until('the reply', () => replies().length === 1 || undefined);
    assert.deepEqual(replies(), ['No room.']);
  });

  it('PE-4 takes no rules that are not whole, and says so in the log', () => {
    const rules = new Rules();
    const { receive, log } = connect(rules);
    for (const message of [
      null,
      { type: 'other' },
      { ...save([], []), scope: 'all' },
      { ...save([], []), id: 'x' },
      { ...save([], []), rules: {} },
      { ...save([], []), rules: [{ effect: 'allow', comand: 'x' }] },
      { ...save([], []), rules: [{ effect: 'deny', path: 5 }] },
    ]) {
      assert.equal(readRulesMessage(message), undefined);
      receive(message);
    }
    assert.equal(log.length, 7);
    assert.equal(rules.kept.length, 1);
  });

  it('sends nothing after the page is gone', async () => {
    const rules = new Rules();
    const { receive, replies, views, channel } = connect(rules);
    receive(save([npmTest], []));
    channel.dispose();
    await until('saved', () => rules.kept.length === 0 || undefined);
    await new Promise(setImmediate);
    assert.deepEqual([replies(), views()], [[], []]);
  });
});
