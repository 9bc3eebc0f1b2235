// Runs one turn in which an agent streams and changes files, in a process of its own, and prints the figures as JSON.
//   node trackerProcess.js on|off STORAGE FOLDER CHUNKS MS FILE...
import { readFileSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ChangeTracker } from '../../src/host/review/changeTracker';
import { ChangeViews } from '../../src/host/review/changeViews';
import type { FolderPort } from '../../src/host/review/folderWatch';
import { countChanges } from '../../src/host/review/lineCounts';
import type { TurnChanges } from '../../src/host/review/turnChanges';
import { TrackedSession } from './trackedSession';

/** What one turn cost. */
export interface Tracked {
  /** CPU of this process, ms. */
  cpu: number;
  /** How often git was run. */
  commands: number;
  /** CPU of the git processes, ms in steps of 10; null where the system does not tell. */
  git: number | null;
  wall: number;
  /** Longest time for which the thread did nothing else, ms. */
  block: number;
  chunks: number;
  /** Files that the tracker lists. */
  files: number;
}

const [kind = 'on', storage = '', folder = '', agent = '', count = '0', pause = '0', ...files] =
  process.argv.slice(2);

/** Keeps track of nothing. */
const NO_TRACKING: TurnChanges = {
  begin: () => Promise.resolve(),
  end: () => Promise.resolve(),
  writing: (_key, _place, write) => write(),
  mentioned: () => undefined,
};

/** Watches each folder by itself; in the window a process of the editor's does it, and the host gets the paths. */
const folders: FolderPort = {
  watch: (root, onEvent) => {
    const below = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('.git'));
    const watchers = [root, ...below].map((path) =>
      watch(path, (_, name) => name !== null && onEvent(join(path, name))),
    );
    return { dispose: () => watchers.forEach((watcher) => watcher.close()) };
  },
  onDidSave: () => ({ dispose: () => undefined }),
  unsavedBytes: () => Promise.resolve(undefined),
};

/** CPU of the children that ended, ms. */
function ofChildren(): number | null {
  if (process.platform !== 'linux') return null;
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

async function main(): Promise<Tracked> {
  let commands = 0;
  const tracker = new ChangeTracker({
    storage,
    folders,
    isTrusted: () => true,
    environment: () => {
      commands++;
      return Promise.resolve(process.env);
    },
    log: console.error,
    now: Date.now,
  });
  const changes = kind === 'on' ? tracker : NO_TRACKING;
  const session = new TrackedSession(storage);
  const views = new ChangeViews({
    records: tracker.records,
    contents: tracker.contents,
    countChanges,
    session: () => session.store,
    log: console.error,
  });
  const args = [agent, count, pause, ...files];
  const plan = {
    command: process.execPath,
    args,
    env: process.env,
    cwd: folder,
    shell: false,
    startTimeout: 10_000,
  };
  await session.connect(plan, changes);
  globalThis.gc?.();
  const before = { children: ofChildren(), wall: performance.now(), cpu: process.cpuUsage() };
  // Costs next to nothing, unlike a probe that keeps the thread turning.
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await session.run(changes, folder);
  const { user, system } = process.cpuUsage(before.cpu);
  const children = ofChildren();
  const figures = {
    cpu: (user + system) / 1000,
    commands,
    git: children === null || before.children === null ? null : children - before.children,
    wall: performance.now() - before.wall,
    block: delay.max / 1e6,
    chunks: session.chunks,
    files: (await tracker.records.turns('key')).at(-1)?.files.length ?? 0,
  };
  views.dispose();
  await session.stop();
  await tracker.dispose();
  return figures;
}

void main().then((result) => console.log(JSON.stringify(result)));
