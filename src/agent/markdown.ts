/** Output as a code block, with a fence that is longer than any in it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`;
}

/** Text as inline code, also if it holds backticks. */
export function inlineCode(text: string): string {
  const line = text.replaceAll('\n', '⏎');
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

/** The name by which a fence is highlighted: the file's extension. */
export function languageOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
