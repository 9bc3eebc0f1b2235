import { spawn, type ChildProcess } from 'node:child_process';
import { ProcessTree } from '../../acp/processTree';
import { OutputBuffer } from '../../core/terminal/outputBuffer';
import { textContent, ToolFailure } from '../tools/tool';
import { fenced } from '../markdown';
import { OUTPUT_LIMIT, watchTime, type CommandAccess, type CommandEnd, type CommandRun } from './commands';

/** How often the card follows the output, in milliseconds; each time it gets all of it. */
const SHOW_EVERY = 100;

/** Runs commands as children of the agent, for clients without terminals. A cancel stops the whole tree. */
export function ownCommands(): CommandAccess {
  return {
    run: async (run) => {
      const child = start(run);
      // Made at once, so that the tree is never mistaken for a later process with the same id.
      const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid);
      const stop = (): void => tree?.kill();
      run.signal.addEventListener('abort', stop, { once: true });
      const stopWatch = watchTime(run.timeLimitMs, stop);
      try {
        return { ...(await follow(child, run)), timedOut: stopWatch() };
      } finally {
        stopWatch();
        run.signal.removeEventListener('abort', stop);
      }
    },
  };
}

function start({ command, cwd, signal }: CommandRun): ChildProcess {
  signal.throwIfAborted();
  const env = { ...process.env, PAGER: 'cat', GIT_PAGER: 'cat', TERM: 'dumb' };
  // The editor may have started the agent with this; a command that is an Electron program must not inherit it.
  delete (env as NodeJS.ProcessEnv)['ELECTRON_RUN_AS_NODE'];
  return spawn(command, {
    cwd,
    env,
    shell: true,
    // A group of its own, by which the tree can be killed.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

function follow(child: ChildProcess, run: CommandRun): Promise<Omit<CommandEnd, 'timedOut'>> {
  const buffer = new OutputBuffer(OUTPUT_LIMIT);
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    timer = undefined;
    if (!run.signal.aborted && buffer.text() !== '') run.show([textContent(fenced(buffer.text()))]);
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      buffer.append(text);
      timer ??= setTimeout(show, SHOW_EVERY);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new ToolFailure(`The command could not be started: ${error.message}`));
    });
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer);
      show();
      resolve({ exitCode, signal, output: buffer.text() });
    });
  });
}
