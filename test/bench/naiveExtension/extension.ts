import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';

/** What of an agent's messages matters here. */
interface AgentMessage {
  id?: number;
  result?: { sessionId?: string };
  params?: { update: { content: { text: string } } };
}

/** Starts the agent of the benchmark and gives a function that prompts it; `take` gets each chunk of the answer. */
async function startAgent(context: vscode.ExtensionContext, take: (chunk: string) => void) {
  const [command = '', ...args] = JSON.parse(process.env['PARLEY_BENCH_AGENT'] ?? '[]') as string[];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  context.subscriptions.push({ dispose: () => child.kill() });
  const waiting = new Map<number, (result: AgentMessage['result']) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, params } = JSON.parse(line) as AgentMessage;
    if (id !== undefined) waiting.get(id)?.(result);
    else if (params) take(params.update.content.text);
  });
  let count = 0;
  const request = (method: string, params: object): Promise<AgentMessage['result']> => {
    const id = ++count;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  await request('initialize', { protocolVersion: 1 });
  const session = await request('session/new', { cwd: '/', mcpServers: [] });
  return () => request('session/prompt', { sessionId: session?.sessionId, prompt: [] });
}

/** Shows an agent's message in the plainest way: one message to the page for each chunk. */
export function activate(context: vscode.ExtensionContext): void {
  const resolveWebviewView = async ({ webview }: vscode.WebviewView): Promise<void> => {
    const prompt = await startAgent(context, (chunk) => void webview.postMessage(chunk));
    const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(context.extensionUri, name));
    webview.options = { enableScripts: true };
    webview.onDidReceiveMessage(prompt);
    webview.html = `<!doctype html><html><head><link rel="stylesheet" href="${uri('chat.css').toString()}"></head>
<body><script src="${uri('page.js').toString()}"></script></body></html>`;
  };
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('control.view', { resolveWebviewView }),
    vscode.commands.registerCommand('control.open', () =>
      vscode.commands.executeCommand('control.view.focus'),
    ),
  );
}
