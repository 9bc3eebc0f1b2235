import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../vscode/until';
import { TrackedFolder } from './trackedFolder';

describe('Who changed what in a turn', () => {
  let folder: TrackedFolder;
  beforeEach(() => {
    folder = new TrackedFolder();
    folder.write('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    folder.commitAll();
  });
  afterEach(() => folder.end());

  const place = (name: string) => ({ path: folder.path(name), real: folder.path(name) });
  const save = (name: string, text: string): void => {
    folder.write(name, text);
    folder.folders.tellSaved(folder.path(name));
  };
  const listed = async (key = 'key'): Promise<string[]> => folder.told(await folder.changesOf(key));
  /** The watcher reports a change; resolves when the list has it. */
  const noticed = async (name: string, text: string, key = 'key'): Promise<void> => {
    folder.write(name, text);
    folder.folders.tellChanged(folder.path(name));
    await until(
      `the change of ${name}`,
      async () =>
        (await listed(key)).some((line) => line.startsWith(`${name}: `) && line.includes(`→ ${text}`)) ||
        undefined,
    );
  };

  it('lists a change while the turn runs, and takes it off again', async () => {
    await folder.begin();
    await noticed('a.txt', 'changed\n');
    folder.write('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    folder.folders.tellChanged(folder.path('a.txt'));
    await until('an empty list', async () => (await folder.records()).length === 0 || undefined);
    assert.deepEqual(folder.folders.watched, [folder.root]);
    await folder.tracker.end('key');
    assert.deepEqual(folder.folders.watched, []);
  });

  it('tracks nothing after the end of the turn', async () => {
    await folder.turn(() => folder.write('a.txt', 'agent\n'));
    folder.write('a.txt', 'later\n');
    folder.folders.tellChanged(folder.path('a.txt'));
    await folder.tracker.writing('key', place('b.txt'), () => Promise.resolve(folder.write('b.txt', 'b')));
    await folder.tracker.flush();
    assert.deepEqual(await listed(), ['a.txt: one\ntwo\nthree\nfour\nfive\n → agent\n']);
  });

  it('leaves out what a person saved', async () => {
    await folder.begin();
    save('a.txt', 'person\n');
    save('new.txt', 'person\n');
    await folder.tracker.end('key');
    assert.deepEqual(await folder.records(), []);
  });

  it('takes the text that a person saved for the earlier one', async () => {
    await folder.begin();
    save('a.txt', 'person\n');
    await noticed('a.txt', 'agent\n');
    await folder.tracker.end('key');
    assert.deepEqual(await listed(), ['a.txt: person\n → agent\n']);
  });

  it('puts what a person saved after the agent into the earlier text', async () => {
    await folder.begin();
    await noticed('a.txt', 'AGENT\ntwo\nthree\nfour\nfive\n');
    save('a.txt', 'AGENT\ntwo\nthree\nfour\nPERSON\n');
    await folder.tracker.end('key');
    assert.deepEqual(await listed(), [
      'a.txt: one\ntwo\nthree\nfour\nPERSON\n → AGENT\ntwo\nthree\nfour\nPERSON\n',
    ]);
  });

  it('keeps the earlier text where a person changed the very lines of the agent', async () => {
    await folder.begin();
    await noticed('a.txt', 'AGENT\ntwo\nthree\nfour\nfive\n');
    save('a.txt', 'PERSON\ntwo\nthree\nfour\nfive\n');
    await folder.tracker.end('key');
    assert.deepEqual(await listed(), [
      'a.txt: one\ntwo\nthree\nfour\nfive\n → PERSON\ntwo\nthree\nfour\nfive\n',
    ]);
  });

  it('drops a change that a person took back in the editor', async () => {
    await folder.begin();
    await noticed('a.txt', 'AGENT\n');
    save('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    await folder.tracker.end('key');
    assert.deepEqual(await folder.records(), []);
  });

  it('lists a write through the protocol at once', async () => {
    await folder.begin();
    await folder.tracker.writing('key', place('a.txt'), () =>
      Promise.resolve(folder.write('a.txt', 'agent\n')),
    );
    assert.deepEqual(await listed(), ['a.txt: one\ntwo\nthree\nfour\nfive\n → agent\n']);
  });

  it('lists a write through the protocol to an ignored file, and to a folder that the person allowed', async () => {
    folder.write('.gitignore', '.env\n');
    folder.write('.env', 'A=1\n');
    const outside = join(folder.home, 'allowed', 'a.txt');
    mkdirSync(join(folder.home, 'allowed'));
    writeFileSync(outside, 'one\n');
    await folder.begin();
    await folder.tracker.writing('key', place('.env'), () => Promise.resolve(folder.write('.env', 'A=2\n')));
    await folder.tracker.writing('key', { path: outside, real: outside }, () => {
      writeFileSync(outside, 'two\n');
      return Promise.resolve();
    });
    await folder.tracker.end('key');
    const [env, allowed] = await folder.changesOf();
    assert.deepEqual(await folder.told(env ? [env] : []), ['.env: A=1\n → A=2\n']);
    assert.equal(allowed?.path, outside);
    assert.equal(await folder.text(allowed.before), 'one\n');
  });

  it('takes the unsaved text of the editor for the earlier one', async () => {
    await folder.begin();
    folder.folders.unsaved.set(folder.path('a.txt'), 'unsaved\n');
    await folder.tracker.writing('key', place('a.txt'), () => {
      folder.write('a.txt', 'agent\n');
      folder.folders.tellSaved(folder.path('a.txt'));
      return Promise.resolve();
    });
    await folder.tracker.end('key');
    assert.deepEqual(await listed(), ['a.txt: unsaved\n → agent\n']);
  });

  it('lists nothing where a write came to nothing, with unsaved text in the editor', async () => {
    await folder.begin();
    folder.folders.unsaved.set(folder.path('a.txt'), 'unsaved\n');
    await folder.tracker.writing('key', place('a.txt'), () => Promise.resolve(false));
    await folder.tracker.end('key');
    assert.deepEqual(await folder.records(), []);
  });

  it('tells what a person saved while a write was under way from the write', async () => {
    await folder.begin();
    await folder.tracker.writing('key', place('a.txt'), () => {
      save('a.txt', 'person\n');
      save('a.txt', 'agent\n');
      return Promise.resolve();
    });
    await folder.tracker.end('key');
    assert.deepEqual(await listed(), ['a.txt: person\n → agent\n']);
  });

  it('puts unsaved text into the earlier one where the agent wrote before', async () => {
    await folder.begin();
    await noticed('a.txt', 'AGENT\ntwo\nthree\nfour\nfive\n');
    folder.folders.unsaved.set(folder.path('a.txt'), 'AGENT\ntwo\nthree\nfour\nPERSON\n');
    await folder.tracker.writing('key', place('a.txt'), () =>
      Promise.resolve(folder.write('a.txt', 'AGENT\ntwo\nTHREE\nfour\nPERSON\n')),
    );
    assert.deepEqual(await listed(), [
      'a.txt: one\ntwo\nthree\nfour\nPERSON\n → AGENT\ntwo\nTHREE\nfour\nPERSON\n',
    ]);
  });

  it('passes the error of a write on, and tells what it did nevertheless', async () => {
    await folder.begin();
    const write = folder.tracker.writing('key', place('a.txt'), () => {
      folder.write('a.txt', 'half\n');
      return Promise.reject(new Error('full'));
    });
    await assert.rejects(write, /full/);
    assert.deepEqual(await listed(), ['a.txt: one\ntwo\nthree\nfour\nfive\n → half\n']);
  });

  it('finishes a write that outlasts its turn, and holds up neither the end nor the next turn', async () => {
    await folder.begin();
    let goOn: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      void folder.tracker.writing('key', place('a.txt'), async () => {
        resolve();
        await new Promise<void>((done) => (goOn = done));
        folder.write('a.txt', 'late\n');
      });
    });
    await started;
    await folder.tracker.end('key');
    assert.deepEqual(await folder.records(), []);
    await folder.begin();
    goOn();
    await until('the late write', async () => (await folder.records()).length > 0 || undefined);
    await folder.tracker.end('key');
    assert.deepEqual(await listed(), ['a.txt: one\ntwo\nthree\nfour\nfive\n → late\n']);
    assert.equal((await folder.records()).length, 1);
  });

  describe('with two sessions in one folder', () => {
    it('lists what is found on disk for both, and says so', async () => {
      await folder.begin('one');
      await folder.begin('two');
      folder.write('a.txt', 'somebody\n');
      await folder.tracker.end('one');
      await folder.tracker.end('two');
      const line = 'a.txt: one\ntwo\nthree\nfour\nfive\n → somebody\n (shared)';
      assert.deepEqual([await listed('one'), await listed('two')], [[line], [line]]);
    });

    it('lists a write through the protocol for its session alone', async () => {
      await folder.begin('one');
      await folder.begin('two');
      await folder.tracker.writing('one', place('a.txt'), () =>
        Promise.resolve(folder.write('a.txt', 'one wrote\n')),
      );
      await folder.tracker.end('one');
      await folder.tracker.end('two');
      assert.deepEqual(await listed('one'), ['a.txt: one\ntwo\nthree\nfour\nfive\n → one wrote\n']);
      assert.deepEqual(await folder.records('two'), []);
    });

    it('lists a change before or after the other turn for one alone', async () => {
      await folder.begin('one');
      folder.write('a.txt', 'by one\n');
      folder.folders.tellChanged(folder.path('a.txt'));
      await folder.begin('two');
      folder.write('b.txt', 'by somebody\n');
      await folder.tracker.end('one');
      folder.write('c.txt', 'by two\n');
      await folder.tracker.end('two');
      assert.deepEqual(await listed('one'), [
        'a.txt: one\ntwo\nthree\nfour\nfive\n → by one\n',
        'b.txt: absent → by somebody\n (shared)',
      ]);
      assert.deepEqual(await listed('two'), [
        'b.txt: absent → by somebody\n (shared)',
        'c.txt: absent → by two\n',
      ]);
    });

    it('lists what a person takes back by Parley for nobody', async () => {
      await folder.turn(() => folder.write('a.txt', 'by one\n'), 'one');
      await folder.begin('two');
      folder.write('a.txt', 'one\n');
      folder.folders.tellSaved(folder.path('a.txt'));
      await folder.tracker.settled();
      await folder.tracker.end('two');
      assert.deepEqual(await folder.records('two'), []);
    });
  });

  describe('over several turns', () => {
    it('begins a later turn with what the one before left', async () => {
      await folder.turn(() => folder.write('a.txt', 'first\n'));
      await folder.turn(() => folder.write('a.txt', 'second\n'));
      const records = await folder.records();
      assert.deepEqual(await Promise.all(records.map(({ files }) => folder.told(files))), [
        ['a.txt: one\ntwo\nthree\nfour\nfive\n → first\n'],
        ['a.txt: first\n → second\n'],
      ]);
    });

    it('survives a reload of the window, with the changes of a turn that was under way', async () => {
      await folder.begin();
      folder.write('a.txt', 'agent\n');
      await folder.tracker.flush();
      folder.build();
      assert.deepEqual(await listed(), ['a.txt: one\ntwo\nthree\nfour\nfive\n → agent\n']);
    });

    it('keeps what the person kept when the running turn goes on', async () => {
      await folder.begin();
      await noticed('a.txt', 'agent\n');
      const kept = (await folder.records()).map((turn) => ({
        ...turn,
        files: turn.files.map((file) => ({ ...file, base: file.after })),
      }));
      await folder.tracker.records.set('key', kept);
      await noticed('a.txt', 'more\n');
      assert.equal(await folder.text((await folder.changesOf())[0]?.base ?? 'unknown'), 'agent\n');
      await folder.tracker.end('key');
    });

    it('does not mix up turns that have the same number', async () => {
      await folder.tracker.begin('key', 1, [folder.root]);
      folder.write('a.txt', 'first\n');
      await folder.tracker.end('key');
      await folder.tracker.begin('key', 1, [folder.root]);
      folder.write('b.txt', 'second\n');
      await folder.tracker.end('key');
      assert.equal((await folder.records()).length, 2);
    });

    it('forgets a session with its texts, but not those of others', async () => {
      await folder.turn(() => folder.write('a.txt', 'agent\n'), 'one');
      await folder.turn(() => folder.write('a.txt', 'again\n'), 'two');
      await folder.tracker.remove('one');
      await folder.tracker.flush();
      assert.deepEqual(await folder.records('one'), []);
      assert.deepEqual(await listed('two'), ['a.txt: agent\n → again\n']);
      assert.equal(readdirSync(join(folder.storage, 'contents')).length, 2);
      assert.deepEqual(readdirSync(join(folder.storage, 'records')), ['two.json']);
    });

    it('leaves no copies behind', async () => {
      folder.write('untracked.txt', 'x');
      await folder.turn(() => appendFileSync(folder.path('a.txt'), 'x'));
      await folder.tracker.dispose();
      assert.deepEqual(readdirSync(join(folder.storage, 'baselines')), []);
    });
  });

  describe('where nothing can be tracked', () => {
    it('does nothing in a workspace that is not trusted', async () => {
      await folder.end();
      folder = new TrackedFolder({ isTrusted: () => false });
      folder.write('a.txt', 'one\n');
      assert.deepEqual(await folder.turn(() => folder.write('a.txt', 'two\n')), []);
      assert.deepEqual(folder.folders.watched, []);
      assert.equal(existsSync(folder.storage), false);
    });

    it('does nothing for folders that are not there', async () => {
      await folder.begin('key', [folder.path('missing'), folder.path('a.txt')]);
      assert.deepEqual(folder.folders.watched, []);
      await folder.tracker.end('key');
      assert.deepEqual(folder.log, []);
    });

    it('lets the turn go on when the time for the baseline is over', async () => {
      await folder.end();
      folder = new TrackedFolder({ baselineTime: 0 });
      folder.write('a.txt', 'one\n', 'old');
      folder.write('b.txt', 'one\n', 'old');
      folder.commitAll();
      await folder.turn(() => folder.write('a.txt', 'two\n'));
      for (const line of await listed()) assert.match(line, /^a\.txt: (unknown|one\n) → two/);
    });

    it('says what went wrong in the log, and lets the turn run', async () => {
      await folder.end();
      folder = new TrackedFolder({
        environment: () => Promise.reject(new Error('no environment')),
      });
      folder.write('a.txt', 'one\n');
      await folder.turn(() => folder.write('a.txt', 'two\n'));
      assert.match(folder.log.join(), /no environment/);
    });
  });
});
