/** What a page is made of. */
export interface HtmlParts {
  /** As the editor calls it. */
  language: string;
  title: string;
  /** For this page alone, and not to be guessed. */
  nonce: string;
  /** From where VS Code gives the files of the extension. */
  source: string;
  /** Address of a file of the extension. */
  uri: (...path: string[]) => string;
  /** In dist. */
  script: string;
  /** In media. */
  styles: readonly string[];
  /** Texts by key. */
  strings: Readonly<Record<string, string>>;
}

/** A page's HTML: scripts by nonce, styles of the extension only, nothing from the network. */
export function pageHtml({
  language,
  title,
  nonce,
  source,
  uri,
  script,
  styles,
  strings,
}: HtmlParts): string {
  const csp = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data:`,
  ].join('; ');
  const sheets = [uri('dist', 'codicons', 'codicon.css'), ...styles.map((file) => uri('media', file))];
  return `<!doctype html>
<html lang="${escapeAttribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${sheets.map((sheet) => `<link rel="stylesheet" href="${sheet}">`).join('\n')}
<title>${escapeAttribute(title)}</title>
</head>
<body data-strings="${escapeAttribute(JSON.stringify(strings))}">
<div id="root"></div>
<script nonce="${nonce}" src="${uri('dist', script)}"></script>
</body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
