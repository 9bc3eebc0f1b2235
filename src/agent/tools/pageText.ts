import { Parser } from 'htmlparser2';

/** What of a page nobody reads. */
const SKIPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'select',
  'head',
]);
const BLOCKS = new Set(
  'address article aside blockquote dd div dl dt fieldset figcaption figure footer form header hr main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);

/** Deepest nesting that is read: the parser's work grows with the square of it, and no page for people is so deep. */
const MAX_DEPTH = 500;
/** Characters of text after which no more is read, far more than what is given: links to long addresses make a page many times as long. */
const MAX_TEXT = 4_000_000;
/** Characters after which depth and length are looked at. */
const SLICE = 4_096;

/**
 * The text of an HTML page as plain Markdown: its title, headings, lists, links and code; nothing else of its form is kept. `isCut` for
 * one that is nested too deeply or is too long to be read to its end.
 */
export function pageText(html: string, base: URL): { text: string; isCut: boolean } {
  const writer = new PageWriter(base);
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: (text) => writer.text(text),
    onclosetag: (name) => writer.close(name),
  });
  let at = 0;
  for (; at < html.length && !writer.isFull; at += SLICE) parser.write(html.slice(at, at + SLICE));
  parser.end();
  return { text: writer.result(), isCut: at < html.length };
}

class PageWriter {
  private readonly parts: string[] = [];
  private readonly links: { index: number; href: string }[] = [];
  private title = '';
  private isInTitle = false;
  private skipped = 0;
  private code = 0;
  /** How many elements are open. */
  private depth = 0;
  private length = 0;

  constructor(private readonly base: URL) {}

  get isFull(): boolean {
    return this.depth > MAX_DEPTH || this.length > MAX_TEXT;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth++;
    if (name === 'title') this.isInTitle = true;
    if (SKIPPED.has(name)) this.skipped++;
    if (this.skipped > 0) return;
    if (name === 'a') this.links.push({ index: this.parts.length, href: attributes['href'] ?? '' });
    else if (name === 'pre') this.begin('\n\n```\n', 1);
    else this.push(markOf(name));
  }

  text(text: string): void {
    if (this.isInTitle) this.title += text;
    else if (this.skipped === 0) this.push(this.code > 0 ? text : text.replace(/\s+/g, ' '));
  }

  close(name: string): void {
    this.depth--;
    if (name === 'title') this.isInTitle = false;
    if (SKIPPED.has(name)) this.skipped--;
    else if (this.skipped > 0) return;
    else if (name === 'pre') this.begin('\n```\n\n', -1);
    else if (name === 'a') this.endLink();
    else if (BLOCKS.has(name) || /^h[1-6]$/.test(name)) this.push('\n\n');
  }

  result(): string {
    const title = this.title.replace(/\s+/g, ' ').trim();
    const text = this.parts
      .join('')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n +(?=[-#|])/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    return title === '' ? text : `Title: ${title}\n\n${text}`.trim();
  }

  private begin(text: string, code: number): void {
    this.push(text);
    this.code += code;
  }

  private push(text: string): void {
    this.parts.push(text);
    this.length += text.length;
  }

  private endLink(): void {
    const link = this.links.pop();
    if (!link) return;
    const text = this.parts.splice(link.index).join('');
    const isLink =
      text.trim() !== '' && !link.href.startsWith('#') && URL.canParse(link.href, this.base.href);
    const url = isLink ? new URL(link.href, this.base.href) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return void this.parts.push(text);
    this.parts.push(`[${text.trim()}](${url.href})`);
    this.length += url.href.length;
  }
}

/** What stands before the text of an element. */
function markOf(name: string): string {
  if (/^h[1-6]$/.test(name)) return `\n\n${'#'.repeat(Number(name[1]))} `;
  if (name === 'li') return '\n- ';
  if (name === 'br' || name === 'tr') return '\n';
  if (name === 'td' || name === 'th') return ' | ';
  return BLOCKS.has(name) ? '\n\n' : '';
}
