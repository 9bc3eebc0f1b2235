import * as vscode from 'vscode';

/** Offers a view with one word in it and the command that opens it. */
export function activate(context: vscode.ExtensionContext): void {
  const provider: vscode.WebviewViewProvider = {
    resolveWebviewView: ({ webview }) => {
      webview.html = '<!doctype html><html><body><div data-control="page">Empty</div></body></html>';
    },
  };
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('control.view', provider),
    vscode.commands.registerCommand('control.open', () =>
      vscode.commands.executeCommand('control.view.focus'),
    ),
  );
}
