import { createInterface } from 'node:readline';
import { ProcessTree } from '../../acp/processTree';
import { KILL_GRACE } from './ptyProcess';

/*
 * A process of its own that outlives the extension host by a moment. It reads `+pid` and `-pid` from its stdin; when the other end is
 * gone, by whatever cause, it ends the trees of the processes that are still on its list, and then itself.
 */
const trees = new Map<number, ProcessTree>();

/** Whoever ends the extension host and all below it must not spare what this is here for. */
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const pid = Number(line.slice(1));
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (line.startsWith('+')) trees.set(pid, new ProcessTree(pid));
  else trees.delete(pid);
});
lines.on('close', () => {
  void Promise.all([...trees.values()].map((tree) => tree.terminate(KILL_GRACE))).then(() => process.exit());
});
