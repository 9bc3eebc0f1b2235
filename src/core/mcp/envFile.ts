/**
 * Reads the text of an `envFile`: one `NAME=value` a line, with `export` before it, comments and quotes as VS Code takes them. In double
 * quotes `\n` and `\r` are line ends. Lines of another form are skipped.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const entries: [string, string][] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, name, rest = ''] = /^\s*(?:export\s+)?([^\s=:#'"`\0]+)\s*[=:](.*)$/.exec(line) ?? [];
    if (name !== undefined) entries.push([name, valueOf(rest.trim())]);
  }
  return Object.fromEntries(entries);
}

function valueOf(text: string): string {
  const [, double] = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(text) ?? [];
  if (double !== undefined) return double.replaceAll('\\n', '\n').replaceAll('\\r', '\r');
  const [, , quoted] = /^(['`])(.*?)\1\s*(?:#.*)?$/.exec(text) ?? [];
  return quoted ?? withoutComment(text);
}

/** What stands before a `#` that is in no quotes. */
function withoutComment(text: string): string {
  const before = /^(?:(["'`]).*?\1|[^#"'`])*/.exec(text)?.[0] ?? '';
  return text[before.length] === '#' ? before.trim() : text;
}
