import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { englishStrings } from '../../core/chat/strings';

/** The page's HTML: one script by nonce, styles of the extension only, nothing from the network. */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const uri = (...path: string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const csp = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join('; ');
  return `<!doctype html>
<html lang="${escapeAttribute(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri('dist', 'codicons', 'codicon.css')}">
<link rel="stylesheet" href="${uri('media', 'chat.css')}">
<title>Parley</title>
</head>
<body data-strings="${escapeAttribute(JSON.stringify(localisedStrings()))}">
<div id="root"></div>
<script nonce="${nonce}" src="${uri('dist', 'webview.js')}"></script>
</body>
</html>`;
}

/** The page's strings in the language of the editor. */
function localisedStrings(): Record<string, string> {
  return Object.fromEntries(Object.entries(englishStrings).map(([key, text]) => [key, vscode.l10n.t(text)]));
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
