import { spawn, type ChildProcess } from 'node:child_process';
import { ProcessTree } from '../../acp/processTree';
import { textContent, ToolFailure } from '../tools/tool';
import { fenced } from '../markdown';
import { childEnvironment } from './childEnvironment';
import { CommandOutput, watchTime, type CommandAccess, type CommandEnd, type CommandRun } from './commands';

/** How often the card follows the output, in milliseconds; each time it gets all of it. */
const SHOW_EVERY = 100;

/** ms after a stop in which the rest of the output may come. */
const LAST_OUTPUT = 250;

/** Runs commands as children of the agent, for clients without terminals. A cancel stops the whole tree. */
export function ownCommands(): CommandAccess {
  return {
    run: async (run) => {
      const child = start(run);
      // Made at once, so that the tree is never mistaken for a later process with the same id.
      const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid);
      let letGo: NodeJS.Timeout | undefined;
      const stop = (): void => {
        tree?.kill();
        // A process that left the tree may keep the output open for as long as it likes.
        letGo ??= setTimeout(
          () => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()),
          LAST_OUTPUT,
        );
      };
      run.signal.addEventListener('abort', stop, { once: true });
      const stopWatch = watchTime(run.timeLimitMs, stop);
      try {
        return { ...(await follow(child, run)), timedOut: stopWatch() };
      } finally {
        stopWatch();
        clearTimeout(letGo);
        run.signal.removeEventListener('abort', stop);
      }
    },
  };
}

function start({ command, cwd, signal }: CommandRun): ChildProcess {
  signal.throwIfAborted();
  const env = { ...childEnvironment(), PAGER: 'cat', GIT_PAGER: 'cat', TERM: 'dumb' };
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
  const buffer = new CommandOutput();
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
