import type { Token } from 'markdown-it';

/** An item of a list or a row of a table's body: its tokens and its lines. */
export interface Part {
  from: number;
  /** Index behind its last token. */
  to: number;
  start: number;
  endLine: number;
}

/** Most empty cells that markdown-it adds to the short rows of one table. */
const MAX_ADDED_CELLS = 65_536;

/** Levels of the tokens that open and close parts of a block at the top. */
const PART_LEVELS: Readonly<Record<string, number>> = {
  list_item_open: 1,
  list_item_close: 1,
  tr_open: 2,
  tr_close: 2,
};

const BLOCKS = new Set('P H1 H2 H3 H4 H5 H6 UL OL BLOCKQUOTE HR DIV'.split(' '));

/** The parts of the list or table that opens at a token; none for other blocks. */
export function partsOf(tokens: readonly Token[], open: number): Part[] {
  const parts: Part[] = [];
  let begun: { from: number; map: [number, number] } | undefined;
  let inHeader = false;
  for (let at = open + 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token || token.level === 0) break;
    const { level, map, type } = token;
    if (type === 'thead_open' || type === 'thead_close') inHeader = type === 'thead_open';
    if (inHeader || level !== PART_LEVELS[type]) continue;
    if (map) begun = { from: at, map };
    else if (begun) parts.push({ from: begun.from, to: at + 1, start: begun.map[0], endLine: begun.map[1] });
  }
  return parts;
}

/** Where parts of a block belong, and how they are drawn without the rest of it. */
export interface Frame {
  /** The element whose children the parts are. */
  readonly parent: Element;
  /** Text to parse before the parts, so that they are drawn as the whole block now is. */
  stubAsDrawn(): string;
  /** The tokens of the parts among those of the stub and the parts. */
  partTokens(tokens: readonly Token[]): readonly Token[];
}

/**
 * A list or a table whose first parts are finished. Text that goes on in it is parsed behind a stub that stands for all of them, so
 * that the cost does not grow with the block.
 */
export abstract class PartedBlock implements Frame {
  /** Parts that the stub has. */
  abstract readonly stubParts: number;

  /**
   * @param parent the element whose children are the parts
   * @param root the node of the whole block
   * @param start offset of the block in the text
   */
  protected constructor(
    readonly parent: Element,
    readonly root: ChildNode,
    readonly start: number,
  ) {}

  /** The block that opens at a token and was drawn as this node; undefined if it is no list or table with parts. */
  static of(
    token: Token,
    source: string,
    drawn: { root: ChildNode; start: number },
  ): PartedBlock | undefined {
    const { root, start } = drawn;
    const element = root as Element;
    if (token.tag === 'ul' || token.tag === 'ol')
      return new PartedList(element, start, token.tag === 'ol' ? `1${token.markup}` : token.markup);
    const [head, body] = token.tag === 'table' ? element.querySelectorAll('thead, tbody') : [];
    return head && body ? new PartedTable(body, drawn, { head, source }) : undefined;
  }

  /** Text to parse before the rest of the block's; `parse` gives the block tokens of a text. */
  abstract stub(parse: (text: string) => readonly Token[]): string;

  abstract stubAsDrawn(): string;

  partTokens(tokens: readonly Token[]): readonly Token[] {
    const parts = partsOf(tokens, 0).slice(this.stubParts);
    return tokens.slice(parts[0]?.from ?? 0, parts.at(-1)?.to ?? 0);
  }

  /** The part of the block before the first of its parts, and its source. */
  readonly header: { frame: Frame; source: string; node: ChildNode } | undefined;

  /** Takes over what a parse of the stub and the rest says of the finished parts; false if the block can not be continued. */
  abstract update(tokens: readonly Token[]): boolean;

  /** Takes note of the source of parts that are finished now. */
  abstract finish(source: string): void;
}

/** A list: one blank line, even a late one, puts the text of all items in paragraphs. */
class PartedList extends PartedBlock {
  override readonly stubParts = 1;
  private pending = '';
  private finishedLoose = false;
  private drawnLoose: boolean | undefined;

  constructor(
    list: Element,
    start: number,
    private readonly marker: string,
  ) {
    super(list, list, start);
  }

  override stub(parse: (text: string) => readonly Token[]): string {
    if (this.pending !== '' && !this.finishedLoose)
      this.finishedLoose = isLoose(parse(`${this.item(false)}${this.pending}${this.marker} x\n`));
    this.pending = '';
    return this.item(this.finishedLoose);
  }

  override stubAsDrawn(): string {
    return this.item(this.drawnLoose ?? false);
  }

  override update(tokens: readonly Token[]): boolean {
    const loose = isLoose(tokens);
    if (loose !== this.drawnLoose) for (const item of this.parent.children) setLoose(item, loose);
    this.drawnLoose = loose;
    return true;
  }

  override finish(source: string): void {
    this.pending += source;
  }

  /** An item indented as far as it can be: none of those that follow lies in it. */
  private item(loose: boolean): string {
    return `   ${this.marker} x\n${loose ? '\n' : ''}`;
  }
}

/** A table: each row is known by its own line, but for the number of cells that may be added. */
class PartedTable extends PartedBlock {
  override readonly stubParts = 0;
  override readonly header;
  private readonly columns: number;
  private readonly stubText: string;
  private added = 0;

  constructor(
    body: Element,
    drawn: { root: ChildNode; start: number },
    { head, source }: { head: Element; source: string },
  ) {
    super(body, drawn.root, drawn.start);
    const [names = '', delimiters = ''] = source.split('\n', 2);
    this.columns = head.querySelectorAll('th').length;
    this.stubText = `|${'x|'.repeat(this.columns)}\n${delimiters}\n`;
    const frame = new HeaderFrame(head.parentElement ?? head);
    this.header = { frame, source: `${names}\n${delimiters}\n`, node: head };
  }

  override stub(): string {
    return this.stubText;
  }

  override stubAsDrawn(): string {
    return this.stubText;
  }

  override update(tokens: readonly Token[]): boolean {
    const rows = partsOf(tokens, 0).length;
    return Math.max(this.added, 0) + rows * this.columns <= MAX_ADDED_CELLS;
  }

  override finish(source: string): void {
    for (const line of source.trimEnd().split('\n')) this.added += this.columns - cellCount(line.trim());
  }
}

/** The names of a table's columns, without its rows. */
class HeaderFrame implements Frame {
  constructor(readonly parent: Element) {}

  stubAsDrawn(): string {
    return '';
  }

  partTokens(tokens: readonly Token[]): readonly Token[] {
    const to = tokens.findIndex(({ type }) => type === 'thead_close') + 1;
    return tokens.slice(1, to);
  }
}

function cellCount(row: string): number {
  let count = 1;
  for (let at = row.indexOf('|'); at >= 0; at = row.indexOf('|', at + 1)) if (row[at - 1] !== '\\') count++;
  if (row.startsWith('|')) count--;
  return row.endsWith('|') && !row.endsWith('\\|') && count > 0 ? count - 1 : count;
}

/** Whether the list whose first item is a stub is loose. */
function isLoose(tokens: readonly Token[]): boolean {
  return tokens[2]?.hidden === false;
}

/** Puts the text of an item in paragraphs, or takes it out of them. */
function setLoose(item: Element, loose: boolean): void {
  if (!loose) {
    for (const child of [...item.children]) if (child.tagName === 'P') child.replaceWith(...child.childNodes);
    return;
  }
  let paragraph: Element | undefined;
  for (const child of [...item.childNodes]) {
    if (BLOCKS.has((child as Element).tagName)) {
      paragraph = undefined;
      continue;
    }
    if (!paragraph) {
      paragraph = item.ownerDocument.createElement('p');
      item.insertBefore(paragraph, child);
    }
    paragraph.append(child);
  }
}
