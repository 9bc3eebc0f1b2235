import assert from 'node:assert/strict';
import type { PermissionRequest } from '../../../src/host/bridges/permissionBridge';
import { AllowedFolders } from '../../../src/host/permission/allowedFolders';
import { PickOrder } from '../../../src/host/permission/pickOrder';
import {
  happens,
  noIcons,
  questionRow,
  questionTitle,
  rulesRow,
} from '../../../src/host/permission/questionText';
import { toolCallInFull } from '../../../src/host/permission/toolCallInFull';
import { TestSession } from '../../support/session';

const topic = { title: '', paths: [] };

describe('what a permission quick pick says', () => {
  it('PE-3 is the command with its folder, else the address, the paths, the title', () => {
    assert.equal(happens({ ...topic, title: 'Tests', command: 'npm test', cwd: '/w' }), 'npm test — /w');
    assert.equal(happens({ ...topic, title: 'Fetch', url: 'https://a.example/' }), 'https://a.example/');
    assert.equal(happens({ ...topic, title: 'Edit', paths: ['/a', '/b'] }), '/a, /b');
    assert.equal(happens({ ...topic, title: 'Think' }), 'Think');
  });

  it('PE-11 is plain text of one line in which nothing is hidden', () => {
    assert.equal(happens({ ...topic, command: 'a\n  b\r\nc\u202e' }), 'a ⏎ b ⏎ c\\u{202E}');
    assert.deepEqual(questionRow({ ...topic, title: '$(check) fine', command: 'rm $(ls)' }), {
      label: '\\$(check) fine',
      detail: 'rm \\$(ls)',
    });
    assert.equal(noIcons('$(a)$(b)'), '\\$(a)\\$(b)');
  });

  it('PE-3 is cut in the middle where it is long, and whole in the row', () => {
    const command = `begin ${'x'.repeat(500)} end`;
    const title = questionTitle({ ...topic, command });
    assert.match(title, /^begin x+ … x+ end$/);
    assert.ok(title.length <= 120);
    assert.equal(questionRow({ ...topic, title: 'Run it', command }).detail, command);
  });

  it('PE-11 takes no long time for a title made to take it', () => {
    const started = performance.now();
    const title = `a${' '.repeat(500_000)}b`;
    assert.equal(happens({ ...topic, title }), title);
    assert.ok(performance.now() - started < 1_000);
  });

  it('PE-4 offers rules only where all of them are seen', () => {
    const rules = ['npm test', 'echo $(ls)'].map((command) => ({ effect: 'allow' as const, command }));
    assert.equal(rulesRow(rules), 'npm test; echo \\$(ls)');
    assert.equal(rulesRow([{ effect: 'allow', command: `echo ${'x'.repeat(200)}` }, ...rules]), undefined);
    assert.equal(rulesRow([]), undefined);
  });

  it('PE-3 says a thing once', () => {
    assert.deepEqual(questionRow({ ...topic, command: 'ls' }), { label: 'ls' });
  });
});

describe('the order of permission quick picks', () => {
  class Screen {
    readonly shown: string[] = [];
    refreshed = 0;
    hide: () => void = () => undefined;
    readonly order = new PickOrder(({ requestId }, closed) => {
      this.shown.push(requestId);
      this.hide = closed;
      return { refresh: () => this.refreshed++, dispose: closed };
    });
  }
  const request = (requestId: string): PermissionRequest => ({
    requestId,
    key: 's',
    patch: { toolCallId: requestId },
    options: [],
    topic,
  });
  const [a, b, c] = [request('a'), request('b'), request('c')];

  it('PE-8 shows one at a time, the oldest first, and counts those behind', () => {
    const screen = new Screen();
    for (const item of [a, b, c, b]) screen.order.ask(item);
    assert.deepEqual([screen.shown, screen.order.total], [['a'], 3]);
    assert.ok(screen.refreshed > 0);
    screen.order.withdraw('b');
    screen.order.withdraw('a');
    assert.deepEqual([screen.shown, screen.order.total], [['a', 'c'], 1]);
  });

  it('PE-9 a closed one goes for the next, and comes back when it is asked for', () => {
    const screen = new Screen();
    for (const item of [a, b]) screen.order.ask(item);
    screen.hide();
    assert.deepEqual(screen.shown, ['a', 'b']);
    screen.order.ask(a, true);
    assert.deepEqual([screen.shown, screen.order.total], [['a', 'b', 'a'], 2]);
    screen.order.withdraw('a');
    assert.deepEqual(screen.shown, ['a', 'b', 'a', 'b']);
  });

  it('PE-9 shows nothing any more when it is disposed', () => {
    const screen = new Screen();
    for (const item of [a, b]) screen.order.ask(item);
    screen.order.dispose();
    assert.deepEqual([screen.shown, screen.order.total], [['a'], 0]);
  });
});

describe('the call of a permission request', () => {
  const call = (fields: object) => ({ sessionUpdate: 'tool_call', toolCallId: 'c', ...fields });

  it('PE-6 is what the card knows, under what the request brings', () => {
    const session = new TestSession().prompt();
    session.wire(call({ title: 'Old', kind: 'edit', rawInput: { path: 'a' }, locations: [{ path: '/a' }] }));
    const whole = toolCallInFull(session.state, { toolCallId: 'c', title: 'New', kind: null });
    assert.equal(whole['title'], 'New');
    assert.equal(whole['kind'], 'edit');
    assert.deepEqual(whole['rawInput'], { path: 'a' });
    assert.deepEqual(whole['locations'], [{ path: '/a' }]);
  });

  it('PE-6 does not take over a call of the same id that ended in an earlier turn', () => {
    const session = new TestSession().prompt();
    session.wire(call({ kind: 'execute', status: 'completed', rawInput: { command: 'npm test' } }));
    session.end().prompt();
    assert.deepEqual(toolCallInFull(session.state, { toolCallId: 'c' }), { toolCallId: 'c' });
  });

  it('PE-4 reads no command from the title where the input was too long to be kept', () => {
    const session = new TestSession().prompt();
    session.wire(
      call({ title: '`npm test`', kind: 'execute', rawInput: { command: `rm ${'x'.repeat(30_000)}` } }),
    );
    const whole = toolCallInFull(session.state, { toolCallId: 'c' });
    assert.deepEqual([whole['title'], whole['rawInput']], ['npm test', undefined]);
  });
});

describe('folders that a session was refused', () => {
  it('FS-11 are allowed only if they were offered, and to that session alone', () => {
    const folders = new AllowedFolders();
    folders.offer('s', '/outside');
    assert.equal(folders.allow('s', '/etc'), false);
    assert.equal(folders.allow('t', '/outside'), false);
    assert.equal(folders.allow('s', '/outside'), true);
    assert.deepEqual([folders.of('s'), folders.of('t')], [['/outside'], []]);
  });
});
