import assert from 'node:assert/strict';
import { untilAborted } from '../../../../src/agent/abort';
import type { FileAccess } from '../../../../src/agent/access/files';
import { loopOf, say, SessionBench, type Script } from './sessionBench';

const script: Script = () => [say('Seen.')];

describe('instructions of a session', () => {
  it('hold the AGENTS.md of the folder as it is when the prompt comes', async () => {
    const files: Record<string, string> = { '/work/AGENTS.md': 'Use tabs.\n' };
    const bench = new SessionBench(script, { files });
    await bench.prompt('first');
    assert.match(
      bench.seen.at(-1)?.instructions ?? '',
      /AGENTS\.md says how to work[^]*<project>\nUse tabs\.\n<\/project>/,
    );
    files['/work/AGENTS.md'] = 'z'.repeat(100_000);
    await bench.prompt('second');
    const { instructions = '' } = bench.seen.at(-1) ?? {};
    assert.ok(instructions.length > 32_000 && instructions.length < 36_000);
    assert.match(instructions, /z\n\[The file goes on; read AGENTS\.md for the rest\.\]/);
    delete files['/work/AGENTS.md'];
    await bench.prompt('third');
    assert.ok(!bench.seen.at(-1)?.instructions.includes('AGENTS.md'));
  });

  it('hold no half of a character, which servers refuse', async () => {
    for (const shift of ['', 'a']) {
      const bench = new SessionBench(script, { files: { '/work/AGENTS.md': shift + '😀'.repeat(50_000) } });
      await bench.prompt('first');
      const { instructions = '' } = bench.seen.at(-1) ?? {};
      assert.ok(instructions.includes('😀'));
      assert.doesNotMatch(instructions, /[\uD800-\uDFFF]/u);
    }
  });

  it('say where it could not be read, and the prompt is answered all the same', async () => {
    const files: Record<string, string> = {};
    Object.defineProperty(files, '/work/AGENTS.md', { enumerable: true, get: () => undefined });
    const bench = new SessionBench(script, { files });
    assert.equal((await bench.prompt('first')).stopReason, 'end_turn');
    assert.match(
      bench.seen.at(-1)?.instructions ?? '',
      /AGENTS\.md for agents, which could not be read: There is no such/,
    );
  });

  it('take a small share of a model that can read little', async () => {
    const files = { '/work/AGENTS.md': 'z'.repeat(30_000) };
    const bench = new SessionBench(script, { files, contextTokens: 8000 });
    await bench.prompt('first');
    const project = /<project>\n(z+)\n/.exec(bench.seen.at(-1)?.instructions ?? '')?.[1];
    assert.equal(project?.length, 4000);
  });

  it('that do not fit at all are a clear error', async () => {
    const bench = new SessionBench(script, { contextTokens: 200 });
    await assert.rejects(
      bench.prompt('first'),
      /about 200 tokens at once, which is too little for the agent's own/,
    );
    assert.equal(bench.seen.length, 0);
  });

  it('CA-2 a prompt is cancelled while it is read, before any model call', async () => {
    let asked: () => void = () => undefined;
    const read: FileAccess['read'] = (_path, signal) => {
      asked();
      assert.ok(signal);
      return untilAborted(new Promise<string>(() => undefined), signal);
    };
    const files: Record<string, string> = {};
    const bench = new SessionBench(script, { files, read });
    await bench.prompt('first');
    files['/work/AGENTS.md'] = 'Use tabs.';
    for (const text of ['second', '/compact']) {
      const reading = new Promise<void>((resolve) => (asked = resolve));
      const prompt = bench.prompt(text);
      await reading;
      bench.session.cancel();
      const answer = await prompt;
      assert.deepEqual([answer.stopReason, loopOf(answer)['modelCalls']], ['cancelled', 0], text);
    }
    assert.equal(bench.seen.length, 1);
    assert.deepEqual(bench.of('compaction_update'), []);
  });
});
