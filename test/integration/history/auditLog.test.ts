import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditLog, KEPT_DECISIONS, type AuditEntry } from '../../../src/host/permission/auditLog';

describe('the list of automatic decisions', () => {
  let root = '';
  let file = '';
  const logged: string[] = [];
  const open = (): AuditLog => new AuditLog(file, (line) => logged.push(line));
  const entry = (what: string): AuditEntry => ({
    at: 1,
    agent: 'a',
    session: 's',
    what,
    effect: 'allow',
    rules: ['npm test'],
    scope: 'user',
  });
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'parley-audit-'));
    file = join(root, 'storage', 'decisions.json');
    logged.length = 0;
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('PE-4 outlives the window, newest first, for the person alone', async () => {
    const first = open();
    first.add(entry('one'));
    first.add(entry('two'));
    await first.flush();
    assert.equal(statSync(file).mode & 0o077, 0);
    const second = open();
    second.add(entry('three'));
    assert.deepEqual(
      (await second.list()).map(({ what }) => what),
      ['three', 'two', 'one'],
    );
    await second.flush();
    assert.deepEqual((await open().list())[2], entry('one'));
  });

  it('PE-4 keeps the newest, and what they say cut', async () => {
    const log = open();
    for (let i = 0; i < KEPT_DECISIONS + 10; i++) log.add(entry(String(i)));
    log.add(entry('x'.repeat(100_000)));
    await log.flush();
    const kept = await open().list();
    assert.equal(kept.length, KEPT_DECISIONS);
    assert.equal(kept[0]?.what.length, 2_000);
    assert.equal(kept.at(-1)?.what, '11');
  });

  it('PE-4 tells who watches', () => {
    const log = open();
    let told = 0;
    log.onDidChange(() => told++);
    log.add(entry('one'));
    assert.equal(told, 1);
  });

  it('PE-4 goes on with a file that is broken, and with one that can not be written', async () => {
    mkdirSync(join(root, 'storage'));
    writeFileSync(file, '[{"at":"x"},null,{"at":1,"effect":"allow","scope":"user"},');
    const log = open();
    log.add(entry('one'));
    await log.flush();
    assert.match(logged.join(), /could not be read/);
    writeFileSync(file, '[{"at":"x"},null,7,{"at":1,"effect":"allow","scope":"user"}]');
    assert.deepEqual(await open().list(), [
      { at: 1, agent: '', session: '', what: '', effect: 'allow', rules: [], scope: 'user' },
    ]);
    assert.ok(readFileSync(file, 'utf8'));
    file = join(root, 'storage', 'decisions.json', 'below');
    const stuck = open();
    stuck.add(entry('two'));
    await stuck.flush();
    assert.match(logged.join(), /could not be kept/);
    assert.equal((await stuck.list())[0]?.what, 'two');
  });
});
