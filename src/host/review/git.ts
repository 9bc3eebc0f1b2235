import { spawn } from 'node:child_process';

/** Nothing of the repository may run: no monitor, no hooks. */
const SAFE = [
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.hooksPath', process.platform === 'win32' ? 'NUL' : '/dev/null'],
  ['submodule.recurse', 'false'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Output beyond this many bytes ends a command. */
const MAX_OUTPUT = 256 << 20;

export interface GitCall {
  /** Where it runs. */
  folder: string;
  args: readonly string[];
  input?: string | Buffer;
  /** Another index than that of the repository. */
  index?: string;
  /** Ends the command; then it fails. */
  signal?: AbortSignal;
  /** Exit codes that are an answer; 0 alone unless said. */
  codes?: readonly number[];
}

/** Runs git: gives what it printed, undefined where it failed or is not there. Takes no locks, asks nothing, runs no hooks. */
export class Git {
  constructor(
    private readonly environment: () => Promise<NodeJS.ProcessEnv>,
    private readonly log: (line: string) => void,
  ) {}

  async run(call: GitCall): Promise<Buffer | undefined> {
    const env = cleaned(await this.environment());
    if (call.index !== undefined) env['GIT_INDEX_FILE'] = call.index;
    return new Promise((resolve) => {
      const fail = (reason: string): void => {
        if (!call.signal?.aborted) this.log(`git ${call.args[0] ?? ''} in ${call.folder}: ${reason}`);
        resolve(undefined);
      };
      const { signal } = call;
      // Without a folder of its own: Windows would look for the program there first.
      const child = spawn('git', ['-C', call.folder, ...SAFE, ...call.args], {
        env,
        windowsHide: true,
        ...(signal ? { signal } : {}),
      });
      const out: Buffer[] = [];
      let size = 0;
      let complaint = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out.push(chunk);
        size += chunk.byteLength;
        if (size > MAX_OUTPUT) child.kill();
      });
      child.stderr.on(
        'data',
        (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(0, 1_000)),
      );
      child.on('error', (error) => fail(error.message));
      child.on('close', (code) => {
        if (code !== null && (call.codes ?? [0]).includes(code)) resolve(Buffer.concat(out));
        else fail(complaint.trim() || `ended with ${String(code)}`);
      });
      // It may end without reading all of it.
      child.stdin.on('error', () => undefined);
      child.stdin.end(call.input);
    });
  }

  /** What it printed as names that end with NUL; undefined where it failed. */
  async names(call: GitCall): Promise<string[] | undefined> {
    const out = await this.run(call);
    return out?.toString('utf8').split('\0').filter(Boolean);
  }
}

/** The environment without what points git elsewhere, as in a window that was opened from a hook. */
function cleaned(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^GIT_(?!SSH|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$)/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C',
  };
}
