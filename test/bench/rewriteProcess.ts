// Compares a rewritten file in a process of its own and prints the figures as JSON.
//   node rewriteProcess.js tracker|toolCall|control LINES
import { join } from 'node:path';
import { diffLines } from 'diff';
import { DiffStore } from '../../src/host/session/diffTexts';
import { LineComparer } from '../../src/host/review/lineCounts';
import { BlockProbe } from './blockProbe';

/** What one comparison cost. */
export interface Compared {
  /** Longest time for which the thread did nothing else, ms. */
  block: number;
  /** Time until the answer, ms. */
  wall: number;
  added: number;
  removed: number;
}

const [kind = 'tracker', count = '0'] = process.argv.slice(2);

/** Code of which every second line is rewritten, as far as the lines are no braces. */
function file(other: boolean): string {
  const lines = Array.from({ length: Number(count) }, (_, at) => {
    if (at % 10 === 9) return '  }';
    const name = other && at % 2 === 0 ? 'changed' : 'value';
    return `    const ${name}${at} = compute(${at}, ${(at * 31) % 977});`;
  });
  return `${lines.join('\n')}\n`;
}

const ways: Record<string, (before: string, after: string) => Promise<{ added: number; removed: number }>> = {
  tracker: async (before, after) => {
    const comparer = new LineComparer(join(__dirname, 'diffWorker.js'));
    const counts = await comparer.count(Buffer.from(before), Buffer.from(after));
    comparer.dispose();
    return counts;
  },
  toolCall: (before, after) =>
    Promise.resolve(new DiffStore().keep({ path: '/a.ts', oldText: before, newText: after }).view),
  control: (before, after) => {
    let [added, removed] = [0, 0];
    for (const part of diffLines(before, after)) {
      if (part.added) added += part.count;
      if (part.removed) removed += part.count;
    }
    return Promise.resolve({ added, removed });
  },
};

async function main(): Promise<Compared> {
  const [before, after] = [file(false), file(true)];
  const way = ways[kind];
  if (!way) throw new Error(`There is no ${kind}.`);
  // Code that was never run is slow, and the window has run it before.
  await way('a\nb\n', 'a\nc\n');
  const probe = new BlockProbe();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const begun = performance.now();
  const { added, removed } = await way(before, after);
  const wall = performance.now() - begun;
  return { block: probe.stop(), wall, added, removed };
}

void main().then((result) => console.log(JSON.stringify(result)));
