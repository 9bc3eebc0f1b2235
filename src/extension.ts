import type * as vscode from 'vscode';
import { composeParley } from './host/compose';

/** Builds Parley; nothing is started before the panel is shown or a command runs. */
export function activate(context: vscode.ExtensionContext): void {
  running = composeParley(context);
  context.subscriptions.push(running);
}

/** VS Code waits for this before it ends the extension host, so that no agent or command outlives the window. */
export async function deactivate(): Promise<void> {
  await running?.stop();
  running = undefined;
}

let running: ReturnType<typeof composeParley> | undefined;
