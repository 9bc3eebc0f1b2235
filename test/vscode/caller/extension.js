const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/** Ends this extension host at once; VS Code starts another. */
const CRASH = 'parley-caller.crash';

/** Shows a problem: path of the file, 0-based line, first and last column, message. */
const PROBLEM = 'parley-caller.problem';

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
  context.subscriptions.push(vscode.commands.registerCommand(PROBLEM, showProblem));
  context.subscriptions.push(...registerSymbols());
  const watcher = fs.watch(folder, look);
  context.subscriptions.push({ dispose: () => watcher.close() });
  look();
};

/** A language service for TypeScript that knows functions, each to the first line with its brace alone. */
function registerSymbols() {
  const functionsOf = (document) => {
    const text = document.getText();
    return [...text.matchAll(/^export function (\w+)[^]*?^}/gm)].map((found) => {
      const name = document.positionAt(found.index + 'export function '.length);
      return {
        name: found[1],
        range: new vscode.Range(
          document.positionAt(found.index),
          document.positionAt(found.index + found[0].length),
        ),
        selectionRange: new vscode.Range(name, name.translate(0, found[1].length)),
      };
    });
  };
  const kind = vscode.SymbolKind.Function;
  const inFile = (document) =>
    functionsOf(document).map(
      ({ name, range, selectionRange }) => new vscode.DocumentSymbol(name, '', kind, range, selectionRange),
    );
  const inWorkspace = async () => {
    const uris = await vscode.workspace.findFiles('**/*.ts');
    const documents = await Promise.all(uris.map((uri) => vscode.workspace.openTextDocument(uri)));
    return documents.flatMap((document) =>
      functionsOf(document).map(
        // By the place of its name, as many language services do.
        ({ name, selectionRange }) =>
          new vscode.SymbolInformation(name, kind, '', new vscode.Location(document.uri, selectionRange)),
      ),
    );
  };
  return [
    vscode.languages.registerDocumentSymbolProvider(
      { language: 'typescript' },
      { provideDocumentSymbols: inFile },
    ),
    vscode.languages.registerWorkspaceSymbolProvider({ provideWorkspaceSymbols: inWorkspace }),
  ];
}

let problems;

function showProblem(file, line, from, to, message) {
  problems ??= vscode.languages.createDiagnosticCollection('caller');
  const problem = new vscode.Diagnostic(new vscode.Range(line, from, line, to), message);
  problem.source = 'caller';
  problems.set(vscode.Uri.file(file), [problem]);
}

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
