const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/** Ends this extension host at once; VS Code starts another. */
const CRASH = 'parley-caller.crash';

/** Runs the commands of `*.call` files ({command, args}) and writes how each ended beside it, to `*.answer` ({value} or {error}). */
exports.activate = function activate(context) {
  const folder = process.env.PARLEY_CALLS;
  if (!folder) return;
  const look = () => {
    for (const name of fs.readdirSync(folder)) {
      if (!name.endsWith('.call')) continue;
      // Taken away first: a file is seen more than once.
      const call = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
      fs.rmSync(path.join(folder, name));
      void run(call).then((answer) =>
        writeWhole(path.join(folder, name.replace('.call', '.answer')), answer),
      );
    }
  };
  const crash = () => process.kill(process.pid, 'SIGKILL');
  context.subscriptions.push(vscode.commands.registerCommand(CRASH, crash));
  const watcher = fs.watch(folder, look);
  context.subscriptions.push({ dispose: () => watcher.close() });
  look();
};

async function run({ command, args }) {
  try {
    return { value: await vscode.commands.executeCommand(command, ...args) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function writeWhole(file, content) {
  fs.writeFileSync(`${file}.part`, JSON.stringify(content));
  fs.renameSync(`${file}.part`, file);
}
