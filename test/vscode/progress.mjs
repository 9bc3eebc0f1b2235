import { spawn } from 'node:child_process';

/** A failure with everything a person needs: what failed, why, and what to do next. */
export class SetupError extends Error {
  /**
   * @param {string} what
   * @param {string} cause
   * @param {string} next
   */
  constructor(what, cause, next) {
    super(`${what}\n  Cause: ${cause.trim().replace(/\n/g, '\n         ')}\n  Next:  ${next}`);
    this.name = 'SetupError';
  }
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/**
 * Run one long step with a line when it begins, one each 15 seconds, and one when it ends.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const since = Date.now();
  console.log(`- ${label} ...`);
  const ticker = setInterval(() => console.log(`  still at it: ${label} (${seconds(since)})`), 15_000);
  try {
    const result = await work();
    console.log(`  done: ${label} (${seconds(since)})`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}

/**
 * Run a program to its end and return its output; a failure carries the last lines of that output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?: 'pipe' | 'inherit', timeout?: number }} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, options = {}) {
  const { cwd, env = process.env, stdio = 'pipe', timeout } = options;
  const onWindows = process.platform === 'win32';
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      timeout,
      shell: onWindows && /^(npm|npx)$/.test(command),
      stdio: ['ignore', stdio, stdio],
    });
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(-200_000));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', (error) => reject(new Error(`${command}: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const tail = output.trim().split('\n').slice(-15).join('\n');
      reject(
        new Error(`"${[command, ...args].join(' ')}" ended with ${signal ?? `exit code ${code}`}\n${tail}`),
      );
    });
  });
}
