import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { englishStrings, type PageStrings } from '../../core/chat/strings';
import { pageHtml } from './pageHtml';

/** What a page is made of; `script` is in dist, `styles` in media. */
export interface PageParts {
  title: string;
  script: string;
  styles: readonly string[];
  /** English texts by key. */
  strings: Readonly<Record<string, string>>;
}

const CHAT: PageParts = {
  title: 'Parley',
  script: 'webview.js',
  styles: ['chat.css'],
  strings: englishStrings,
};

/** The HTML of a page in a webview, with a nonce of its own. */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, page = CHAT): string {
  return pageHtml({
    ...page,
    language: vscode.env.language,
    nonce: randomBytes(16).toString('base64url'),
    source: webview.cspSource,
    uri: (...path) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString(),
    strings: localised(page.strings),
  });
}

/** The texts of the chat page in the language of the editor. */
export const pageStrings = (): PageStrings => localised(englishStrings) as PageStrings;

/** The page's strings in the language of the editor. */
function localised(strings: PageParts['strings']): Record<string, string> {
  return Object.fromEntries(Object.entries(strings).map(([key, text]) => [key, vscode.l10n.t(text)]));
}
