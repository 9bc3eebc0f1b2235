import type { Env, MarkdownIt, Token } from 'markdown-it';
import { appendCode, replaceCode } from './codeBlock';
import { OpenFence } from './openFence';
import { PartedBlock, partsOf, type Frame, type Part } from './parts';
import type { TokenRenderer } from './render';

type References = NonNullable<Env['references']>;

/** A block as it was drawn, or parts of the block `of`. */
interface Block {
  source: string;
  nodes: ChildNode[];
  /** Labels of references that were looked up, with what they stood for. */
  labels: Map<string, string>;
  of?: Frame | undefined;
  /** The first line of a code block behind its fence. */
  info?: string | undefined;
}

interface Segment {
  source: string;
  /** First line of the block or part, the line behind its last one, and the offset there in what was parsed. */
  start: number;
  endLine: number;
  end: number;
  /** Index of its first token. */
  at: number;
  fence?: Token | undefined;
  of?: PartedBlock | undefined;
}

/** What was parsed of the tail. */
interface Parsed {
  source: string;
  tokens: Token[];
  /** Offsets of the lines. */
  offsets: number[];
}

const signature = (references: References, label: string): string => {
  const reference = references[label];
  return reference ? `${reference.href}\n${reference.title}` : '';
};

const emptyReferences = (base: References | null): References => Object.create(base) as References;

/**
 * Renders Markdown that arrives in pieces. Finished blocks, list items and table rows keep their nodes; only the tail behind them is
 * parsed again. After each `flush` the container holds what one rendering of the whole text would give, however the text was cut.
 */
export class MarkdownCommitter {
  private text = '';
  /** Offset behind the last finished block or part. */
  private committed = 0;
  private endsWithCr = false;
  private tail: Block[] = [];
  private finished: References = emptyReferences(null);
  private current: References = emptyReferences(null);
  private readonly users = new Map<string, Set<Block>>();
  private fence: OpenFence | undefined;
  /** The block whose parts the tail begins with. */
  private parted: PartedBlock | undefined;
  /** Offset of a block that has to be drawn as a whole. */
  private whole = -1;
  private flushed = 0;

  constructor(
    private readonly container: HTMLElement,
    private readonly parser: MarkdownIt,
    private readonly renderer: TokenRenderer,
  ) {}

  /** Takes more text; nothing is drawn before `flush`. */
  append(piece: string): void {
    if (piece === '') return;
    const rest = this.endsWithCr && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.endsWithCr = piece.endsWith('\r');
    this.text += /[\r\0]/.test(rest) ? rest.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD') : rest;
  }

  /** Brings the container up to date. */
  flush(): void {
    const end = this.text.length - blankEnd(this.text);
    if (this.flushed === this.text.length || (this.fence && this.flushed === end)) return;
    if (!this.extendFence(end)) this.renderTail();
    this.flushed = this.fence ? end : this.text.length;
  }

  /** Characters that the next `flush` draws again: those of the block that is still open. */
  get openLength(): number {
    return this.fence ? 0 : this.text.length - this.committed;
  }

  private extendFence(end: number): boolean {
    const { fence, text, flushed } = this;
    const last = this.tail.at(-1);
    const code = last && codeOf(last);
    if (!fence || !last || !code || fence.mayClose(text, flushed)) return false;
    appendCode(code, text.slice(flushed, end));
    last.source = ''; // Brought up to date when it ends.
    return true;
  }

  private renderTail(): void {
    const references = emptyReferences(this.finished);
    const stub = this.parted?.stub((text) => this.blockTokens(text, {})) ?? '';
    const source = stub + this.text.slice(this.committed);
    const parsed = { source, tokens: this.blockTokens(source, references), offsets: lineOffsets(source) };
    if (this.parted?.update(parsed.tokens) === false) {
      this.drawWhole(this.parted);
      return;
    }
    const segments = segmentsOf(parsed, this.parted);
    this.updateUsers(references);
    this.drawTail(segments);
    const last = segments.at(-1);
    this.fence = last?.fence && OpenFence.of(last.fence, last.source);
    this.commit(segments, parsed, stub.length);
  }

  private blockTokens(source: string, references: References): Token[] {
    const tokens: Token[] = [];
    this.parser.block.parse(source, this.parser, { references }, tokens);
    return tokens;
  }

  /** Gives up the finished parts of a block. */
  private drawWhole({ root, start }: PartedBlock): void {
    for (const block of this.tail) for (const node of block.nodes) node.remove();
    root.remove();
    this.tail = [];
    this.parted = undefined;
    this.committed = start;
    this.whole = start;
    this.renderTail();
  }

  /** Renders again the finished blocks whose references now stand for something else. */
  private updateUsers(references: References): void {
    const before = this.current;
    this.current = references;
    const labels = new Set([...Object.keys(before), ...Object.keys(references)]);
    const stale = new Set<Block>();
    for (const label of labels) {
      if (signature(before, label) === signature(references, label)) continue;
      for (const block of this.users.get(label) ?? []) stale.add(block);
    }
    for (const block of stale) {
      const fresh = this.renderBlock(block.source, block.of);
      const first = block.nodes[0];
      for (const node of fresh.nodes) first?.parentNode?.insertBefore(node, first);
      for (const node of block.nodes) node.remove();
      Object.assign(block, fresh);
    }
  }

  private drawTail(segments: readonly Segment[]): void {
    const old = this.tail;
    let same = 0;
    for (; same < segments.length; same++) {
      const block = old[same];
      const segment = segments[same];
      if (!block || !segment || !this.isDrawn(block, segment)) break;
    }
    for (const block of old.slice(same)) for (const node of block.nodes) node.remove();
    const added = segments
      .slice(same)
      .map(({ source, of, fence }) => ({ ...this.renderBlock(source, of), info: fence?.info }));
    for (const block of added) (block.of?.parent ?? this.container).append(...block.nodes);
    this.tail = [...old.slice(0, same), ...added];
  }

  private isDrawn(block: Block, segment: Segment): boolean {
    if (block.of !== segment.of) return false;
    return (block.source === segment.source && this.isFresh(block)) || this.updateFence(block, segment);
  }

  /** Brings a code block up to date, keeping its lines. */
  private updateFence(block: Block, { fence, source }: Segment): boolean {
    const code = codeOf(block);
    if (!fence || block.info !== fence.info || !code) return false;
    replaceCode(code, fence.content);
    this.renderer.finishFence(block.nodes[0] as HTMLElement, fence);
    block.source = source;
    return true;
  }

  private isFresh(block: Block): boolean {
    for (const [label, meaning] of block.labels) if (signature(this.current, label) !== meaning) return false;
    return true;
  }

  private renderBlock(source: string, of: Frame | undefined): Block {
    const labels = new Map<string, string>();
    const references = new Proxy(this.current, {
      get: (target, label) => {
        if (typeof label === 'string') labels.set(label, signature(target, label));
        return Reflect.get(target, label) as unknown;
      },
      set: () => true,
    });
    const all = this.parser.parse((of?.stubAsDrawn() ?? '') + source, { references });
    const tokens = of ? of.partTokens(all) : all;
    return { source, nodes: [...this.renderer.render(tokens).childNodes], labels, of };
  }

  /**
   * Finishes all blocks and parts that a later one closed for good. The line that is still arriving may yet turn into anything, and a
   * table is known by its second line only: so that later one must begin two lines before.
   */
  private commit(segments: readonly Segment[], parsed: Parsed, stubLength: number): void {
    const count = finishedCount(segments, parsed.offsets.length - 1);
    for (const block of this.tail.splice(0, count)) this.remember(block);
    const next = segments[count];
    let last = segments[count - 1];
    if (next?.of) this.parted?.finish(joined(segments.slice(0, count)));
    else {
      this.parted = undefined;
      last = this.divide(next, parsed, this.committed + (last?.end ?? 0) - stubLength) ?? last;
    }
    if (!last) return;
    this.keepDefinitions(parsed.tokens, last.endLine);
    this.committed += last.end - stubLength;
  }

  /** Turns the first block of the tail into its parts, once one of them can be finished; tells the last that was. */
  private divide(segment: Segment | undefined, parsed: Parsed, start: number): Segment | undefined {
    const drawn = this.tail[0];
    const root = drawn?.nodes[0];
    const token = parsed.tokens[segment?.at ?? 0];
    if (!segment || !root || !token || start === this.whole) return undefined;
    const parts = partSegments(parsed, segment.at, undefined);
    const count = finishedCount(parts, parsed.offsets.length - 1);
    const last = parts[count - 1];
    if (!last) return undefined;
    const of = PartedBlock.of(token, segment.source, { root, start });
    if (!of) return undefined;
    const children = [...of.parent.children];
    const { labels } = drawn;
    const { header } = of;
    if (header) this.remember({ source: header.source, nodes: [header.node], labels, of: header.frame });
    const source = joined(parts.slice(0, count));
    this.remember({ source, nodes: children.slice(0, count), labels, of });
    of.finish(source);
    const rest = parts.slice(count).map((part, at) => ({
      source: part.source,
      nodes: children.slice(count + at, count + at + 1),
      labels,
      of,
    }));
    this.tail.splice(0, 1, ...rest);
    this.parted = of;
    return last;
  }

  private remember(block: Block): void {
    for (const label of block.labels.keys()) {
      const blocks = this.users.get(label) ?? new Set();
      this.users.set(label, blocks.add(block));
    }
  }

  private keepDefinitions(tokens: readonly Token[], endLine: number): void {
    for (const { map, meta, type } of tokens) {
      if (type !== 'reference_definition' || !map || map[1] > endLine) continue;
      const label = String(meta?.['label']);
      const definition = this.current[label];
      if (definition) this.finished[label] ??= definition;
    }
  }
}

function codeOf(block: Block): Element | null | undefined {
  return (block.nodes[0] as Element | undefined)?.querySelector('code');
}

/** Length of a last line that is only blanks: markdown-it leaves it out of a code block that is still open. */
function blankEnd(text: string): number {
  const blanks = /(?:^|\n)([ \t]+)$/.exec(text.slice(text.lastIndexOf('\n')));
  return blanks?.[1]?.length ?? 0;
}

function lineOffsets(source: string): number[] {
  const offsets = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) offsets.push(at + 1);
  return offsets;
}

function segmentsOf(parsed: Parsed, parted: PartedBlock | undefined): Segment[] {
  const segments = parted ? partSegments(parsed, 0, parted) : [];
  const first = segments.at(-1)?.endLine ?? 0;
  for (const [at, token] of parsed.tokens.entries()) {
    const { level, nesting, map, type } = token;
    if (level !== 0 || nesting < 0 || !map || type === 'reference_definition' || map[0] < first) continue;
    const fence = type === 'fence' ? token : undefined;
    segments.push({ ...segmentOf(parsed, map[0], map[1]), at, fence });
  }
  return segments;
}

function partSegments(parsed: Parsed, open: number, of: PartedBlock | undefined): Segment[] {
  const parts = partsOf(parsed.tokens, open).slice(of?.stubParts ?? 0);
  return parts.map(({ from, start, endLine }: Part) => ({
    ...segmentOf(parsed, start, endLine),
    at: from,
    of,
  }));
}

function segmentOf({ source, offsets }: Parsed, start: number, endLine: number) {
  const end = offsets[endLine] ?? source.length;
  return { source: source.slice(offsets[start] ?? 0, end), start, endLine, end };
}

function joined(segments: readonly Segment[]): string {
  return segments.map(({ source }) => source).join('');
}

/** How many of the segments are followed by one that begins two lines before the last line. */
function finishedCount(segments: readonly Segment[], lastLine: number): number {
  let count = segments.length - 1;
  while (count > 0 && (segments[count]?.start ?? 0) + 1 >= lastLine) count--;
  return Math.max(count, 0);
}
