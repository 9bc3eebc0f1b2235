import type { HighlightAnswer, HighlightRequest, LineRuns } from '../../core/highlight/messages';
import { MAX_TEXT } from '../../core/highlight/messages';
import { asPlainText, LINES_PER_BOX } from '../markdown/codeBlock';
import { beginsWith, linesFrom, replaceText } from './codeText';
import { keepSelection } from './keepSelection';
import type { Palette } from './palette';

type Tokens = Extract<HighlightAnswer, { type: 'tokens' }>;

interface Painted {
  /** Lines that have their colours. */
  lines: number;
  /** UTF-16 units of these lines, with their ends. */
  length: number;
  /** What the block was called when it was painted. */
  id: number;
}

/** A line of which the colours are known. */
interface ColoredLine {
  runs: LineRuns;
  colors: readonly string[];
}

/** What colours a block: the lines that were sent, their colours, and the boxes that show them now. */
export class ColoredBlock {
  /** Boxes near the part that is on screen. */
  private readonly near = new Set<Element>();
  private readonly painted = new Map<Element, Painted>();
  private sent: string[] = [];
  private tokens: ColoredLine[] = [];
  private waits = false;
  private plain = false;

  constructor(
    public id: number,
    readonly code: Element,
    readonly grammar: string,
    private readonly palette: Palette,
  ) {}

  /** Whether the text begins with all the lines that are coloured or on their way. */
  hasLinesOf(code: Element): boolean {
    return beginsWith(code, this.sent);
  }

  /** Goes on with a block that shows the same text in another element. */
  takeOver(other: ColoredBlock): void {
    this.id = other.id;
    this.sent = other.sent;
    this.tokens = other.tokens;
    this.waits = other.waits;
    this.plain = other.plain;
    const boxes = [...other.code.children];
    for (const [at, box] of boxes.entries()) {
      const same = this.code.children[at];
      if (same && other.near.has(box)) this.near.add(same);
    }
    other.clear();
    this.paintNear();
  }

  /** Forgets the colours of the theme before; they stay on screen until there are others. */
  renew(id: number): void {
    this.id = id;
    this.sent = [];
    this.tokens = [];
    this.waits = false;
    this.plain = false;
  }

  setNear(box: Element, near: boolean): void {
    if (near) this.near.add(box);
    else {
      this.near.delete(box);
      this.wipe(box);
    }
  }

  /** The text of these boxes is another one now. */
  repaint(boxes: Iterable<Element>): void {
    for (const box of boxes) this.wipe(box);
    for (const box of this.near) if (box.parentNode !== this.code) this.near.delete(box);
    this.paintNear();
  }

  /** Paints what is near and has colours. */
  paintNear(): void {
    for (const box of this.near) this.paintBox(box);
  }

  /** Takes every colour away. */
  clear(): void {
    if (this.code.isConnected) for (const box of [...this.painted.keys()]) this.wipe(box);
    this.painted.clear();
    this.near.clear();
  }

  /** What to ask for next; undefined while an answer is on its way, or where all that is near was asked for. */
  question(): HighlightRequest | undefined {
    if (this.waits || this.plain || this.near.size === 0) return undefined;
    const boxes = [...this.code.children];
    const last = boxes.findLastIndex((box) => this.near.has(box));
    const lines = linesFrom(this.code, this.sent.length, (last + 1) * LINES_PER_BOX);
    if (lines.length === 0) return undefined;
    const from = this.sent.length;
    this.sent.push(...lines);
    this.waits = true;
    const text = lines.map((line) => (line.length > MAX_TEXT ? '' : line)).join('\n');
    return { type: 'highlight', block: this.id, from, grammar: this.grammar, text };
  }

  /** Takes an answer over. */
  receive(answer: HighlightAnswer): void {
    this.waits = false;
    if (answer.type === 'tokens') this.take(answer);
    else if (answer.why === 'plain') this.plain = true;
    else this.renew(this.id);
  }

  private take({ from, lines, colors }: Tokens): void {
    if (from !== this.tokens.length) return;
    for (const runs of lines) this.tokens.push({ runs, colors });
    this.paintNear();
  }

  private paintBox(box: Element): void {
    const first = [...this.code.children].indexOf(box) * LINES_PER_BOX;
    const last = Math.min(this.tokens.length, first + LINES_PER_BOX);
    const painted = this.painted.get(box);
    const done = painted?.id === this.id ? painted : { lines: 0, length: 0, id: this.id };
    const from = first + done.lines;
    if (first < 0 || last <= from) return;
    const fresh = document.createDocumentFragment();
    let length = 0;
    for (let line = from; line < last; line++) {
      const text = `${this.sent[line] ?? ''}\n`;
      length += text.length;
      addLine(fresh, text, this.tokens[line], this.palette);
    }
    keepSelection(box, () => {
      if (painted && painted !== done) asPlainText(box);
      replaceText(box, done.length, length, fresh);
    });
    this.painted.set(box, { lines: last - first, length: done.length + length, id: this.id });
  }

  private wipe(box: Element): void {
    if (this.painted.delete(box) && box.parentNode === this.code) keepSelection(box, () => asPlainText(box));
  }
}

/** Adds a line as runs of its colours; neighbours without one become one text. */
function addLine(
  parent: DocumentFragment,
  text: string,
  line: ColoredLine | undefined,
  palette: Palette,
): void {
  let at = 0;
  const { runs = [], colors = [] } = line ?? {};
  for (let i = 0; i < runs.length; i += 2) {
    const part = text.slice(at, (at += runs[i] ?? 0));
    const color = colors[runs[i + 1] ?? -1];
    if (color === undefined) addPlain(parent, part);
    else {
      const span = parent.appendChild(document.createElement('span'));
      span.className = palette.classOf(color);
      span.textContent = part;
    }
  }
  addPlain(parent, text.slice(at));
}

function addPlain(parent: DocumentFragment, text: string): void {
  if (parent.lastChild instanceof Text) parent.lastChild.appendData(text);
  else if (text !== '') parent.append(text);
}
