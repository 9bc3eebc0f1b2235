// Runs an agent and hides from it what the client can do; all else goes through untouched.
//   node withoutCapabilities.mjs -- COMMAND [ARGS...]
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [command, ...args] = process.argv.slice(process.argv.indexOf('--') + 1);
const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] });

function plain(line) {
  if (!line.includes('"initialize"')) return line;
  const message = JSON.parse(line);
  if (message.method === 'initialize') message.params.clientCapabilities = {};
  return JSON.stringify(message);
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', (line) => child.stdin.write(`${plain(line)}\n`));
lines.on('close', () => child.stdin.end());
child.stdin.on('error', () => lines.close());
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(127);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
