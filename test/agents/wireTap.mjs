// Runs an agent and writes down what passes between it and the client; the bytes go through untouched.
//   node wireTap.mjs --to FOLDER [--shell] -- COMMAND [ARGS...]
// Files, per run: FOLDER/<pid>.client.ndjson and FOLDER/<pid>.agent.ndjson. Exit code and signals are passed on. In a terminal,
// where a sign-in runs, there is no protocol and nothing is written down.
import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const end = process.argv.indexOf('--');
const options = process.argv.slice(2, end);
const folder = options[options.indexOf('--to') + 1];
const [command, ...args] = process.argv.slice(end + 1);
const terminal = process.stdin.isTTY === true;
const child = spawn(command, args, {
  stdio: terminal ? 'inherit' : ['pipe', 'pipe', 'inherit'],
  shell: options.includes('--shell'),
});

/** Copies a stream as fast as its reader takes it, and to a file; `close` when it ended. */
function copy(from, to, side, close) {
  const file = openSync(join(folder, `${process.pid}.${side}.ndjson`), 'w');
  from.on('data', (chunk) => {
    writeSync(file, chunk);
    if (!to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  });
  from.on('end', close);
  // The other end is gone; what would have been written is lost without us, too.
  to.on('error', () => from.destroy());
}

if (!terminal) {
  copy(process.stdin, child.stdin, 'client', () => child.stdin.end());
  copy(child.stdout, process.stdout, 'agent', () =>
    process.stdout.write('', () => {
      // An agent may close its output and live on. `end` would not close ours.
      if (child.exitCode === null && child.signalCode === null) closeSync(1);
    }),
  );
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', ({ code, message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(code === 'ENOENT' ? 127 : 126);
});
function finish(code, signal) {
  if (signal === null) process.stdout.write('', () => process.exit(code));
  else process.kill(process.removeAllListeners(signal).pid, signal);
}
// What the agent leaves behind may hold its pipes open.
child.on('exit', (code, signal) => setTimeout(finish, terminal ? 0 : 200, code, signal));
child.on('close', finish);
