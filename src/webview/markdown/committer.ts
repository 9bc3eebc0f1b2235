import type { Env, MarkdownIt, Token } from 'markdown-it';
import { OpenFence } from './openFence';
import { appendCode, type TokenRenderer } from './render';

type References = NonNullable<Env['references']>;

interface Block {
  source: string;
  nodes: ChildNode[];
  /** Labels of references that were looked up, with what they stood for. */
  labels: Map<string, string>;
}

interface Segment {
  source: string;
  /** First line of the block, and offset behind its last one, in the tail. */
  start: number;
  end: number;
  endLine: number;
  fence: Token | undefined;
}

const signature = (references: References, label: string): string => {
  const reference = references[label];
  return reference ? `${reference.href}\n${reference.title}` : '';
};

const emptyReferences = (base: References | null): References => Object.create(base) as References;

/**
 * Renders Markdown that arrives in pieces. Finished blocks keep their nodes; only the tail behind them is parsed again. After each
 * `flush` the container holds what one rendering of the whole text would give, however the text was cut.
 */
export class MarkdownCommitter {
  private text = '';
  /** Offset behind the last finished block. */
  private committed = 0;
  private endsWithCr = false;
  private tail: Block[] = [];
  private finished: References = emptyReferences(null);
  private current: References = emptyReferences(null);
  private readonly users = new Map<string, Set<Block>>();
  private fence: OpenFence | undefined;
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

  private extendFence(end: number): boolean {
    const { fence, text, flushed } = this;
    const last = this.tail.at(-1);
    const code = last && (last.nodes[0] as Element | undefined)?.querySelector('code');
    if (!fence || !last || !code || fence.mayClose(text, flushed)) return false;
    appendCode(code, text.slice(flushed, end));
    last.source = ''; // Drawn once more when it ends.
    return true;
  }

  private renderTail(): void {
    const source = this.text.slice(this.committed);
    const references = emptyReferences(this.finished);
    const tokens: Token[] = [];
    this.parser.block.parse(source, this.parser, { references }, tokens);
    const offsets = lineOffsets(source);
    const segments = segmentsOf(source, tokens, offsets);
    this.updateUsers(references);
    this.drawTail(segments);
    const last = segments.at(-1);
    this.fence = last?.fence && OpenFence.of(last.fence, last.source);
    this.commit(segments, tokens, offsets.length - 1);
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
      const fresh = this.renderBlock(block.source);
      const first = block.nodes[0];
      if (first) for (const node of fresh.nodes) this.container.insertBefore(node, first);
      for (const node of block.nodes) node.remove();
      Object.assign(block, fresh);
    }
  }

  private drawTail(segments: readonly Segment[]): void {
    const old = this.tail;
    let same = 0;
    for (; same < segments.length; same++) {
      const block = old[same];
      if (!block || block.source !== segments[same]?.source || !this.isFresh(block)) break;
    }
    for (const block of old.slice(same)) for (const node of block.nodes) node.remove();
    const added = segments.slice(same).map((segment) => this.renderBlock(segment.source));
    for (const block of added) this.container.append(...block.nodes);
    this.tail = [...old.slice(0, same), ...added];
  }

  private isFresh(block: Block): boolean {
    for (const [label, meaning] of block.labels) if (signature(this.current, label) !== meaning) return false;
    return true;
  }

  private renderBlock(source: string): Block {
    const labels = new Map<string, string>();
    const references = new Proxy(this.current, {
      get: (target, label) => {
        if (typeof label === 'string') labels.set(label, signature(target, label));
        return Reflect.get(target, label) as unknown;
      },
      set: () => true,
    });
    const tokens = this.parser.parse(source, { references });
    return { source, nodes: [...this.renderer.render(tokens).childNodes], labels };
  }

  /**
   * Finishes all blocks that a later block closed for good. The line that is still arriving may yet turn into anything, and a table
   * is known by its second line only: so that later block must begin two lines before.
   */
  private commit(segments: readonly Segment[], tokens: readonly Token[], lastLine: number): void {
    let count = segments.length - 1;
    while (count > 0 && (segments[count]?.start ?? 0) + 1 >= lastLine) count--;
    const last = segments[count - 1];
    if (!last) return;
    for (const block of this.tail.splice(0, count)) this.remember(block);
    for (const token of tokens) if ((token.map?.[1] ?? Infinity) <= last.endLine) this.keepDefinition(token);
    this.committed += last.end;
  }

  private keepDefinition({ type, meta }: Token): void {
    if (type !== 'reference_definition') return;
    const label = String(meta?.['label']);
    const definition = this.current[label];
    if (definition) this.finished[label] ??= definition;
  }

  private remember(block: Block): void {
    for (const label of block.labels.keys()) {
      const blocks = this.users.get(label) ?? new Set();
      this.users.set(label, blocks.add(block));
    }
  }
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

function segmentsOf(source: string, tokens: readonly Token[], offsets: readonly number[]): Segment[] {
  const segments: Segment[] = [];
  for (const token of tokens) {
    const { level, nesting, map, type } = token;
    if (level !== 0 || nesting < 0 || !map || type === 'reference_definition') continue;
    const [start, endLine] = map;
    const end = offsets[endLine] ?? source.length;
    const fence = type === 'fence' ? token : undefined;
    segments.push({ source: source.slice(offsets[start] ?? 0, end), start, end, endLine, fence });
  }
  return segments;
}
