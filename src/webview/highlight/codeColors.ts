import { fenceInfo } from '../../core/highlight/fenceInfo';
import { grammarOf } from '../../core/highlight/languages';
import type { HighlightAnswer, HighlightRequest } from '../../core/highlight/messages';
import { ColoredBlock } from './coloredBlock';
import { Palette } from './palette';

/** How far beyond the part that is on screen code gets its colours. */
const MARGIN = '50% 0px';

interface Watched {
  block: HTMLElement;
  colored: ColoredBlock;
  observer: IntersectionObserver;
  /** Sees the text of a block that is near change. */
  changes: MutationObserver | undefined;
  /** Boxes of the text that are observed. */
  boxes: number;
}

/**
 * Asks for the colours of code that is on screen or near, a few lines at a time, and paints them. Until they come code is plain. What
 * is far away costs nothing.
 */
export class CodeColors {
  private palette: Palette | undefined;
  private readonly fresh: HTMLElement[] = [];
  /** By the block's element and, while it is near, by each box. */
  private readonly watched = new Map<Element, Watched>();
  private readonly byId = new Map<number, Watched>();
  private readonly observers = new WeakMap<Element, IntersectionObserver>();
  private next = 1;

  constructor(private readonly ask: (request: HighlightRequest) => void) {}

  /** Colours a block from now on; it may not be in the document yet. */
  watch(block: HTMLElement): void {
    // Once the text that holds it is drawn, and before that is painted.
    if (this.fresh.push(block) === 1) queueMicrotask(() => this.begin());
  }

  receive(answer: HighlightAnswer): void {
    const watched = this.byId.get(answer.block);
    if (!watched) return;
    this.update(watched, () => watched.colored.receive(answer));
    this.askFor(watched);
  }

  /** The colours of the theme are others now. */
  themeChanged(): void {
    for (const watched of [...this.byId.values()]) {
      this.renew(watched);
      this.askFor(watched);
    }
  }

  private begin(): void {
    const gone = [...this.byId.values()].filter(({ block }) => !block.isConnected);
    for (const block of this.fresh.splice(0)) if (block.isConnected) this.add(block, gone);
    for (const watched of gone) this.drop(watched);
  }

  private add(block: HTMLElement, gone: readonly Watched[]): void {
    const grammar = grammarOf(fenceInfo(block.dataset['info'] ?? '').language);
    const code = block.querySelector('code');
    if (grammar === undefined || !code || this.watched.has(block)) return;
    this.palette ??= new Palette();
    const colored = new ColoredBlock(this.next++, code, grammar, this.palette);
    const observer = this.observerOf(block);
    const watched: Watched = { block, colored, observer, changes: undefined, boxes: 0 };
    const before = gone.find(
      (old) =>
        old.colored.grammar === grammar &&
        this.byId.get(old.colored.id) === old &&
        old.colored.hasLinesOf(code),
    );
    if (before) {
      colored.takeOver(before.colored);
      this.drop(before);
    }
    this.watched.set(block, watched);
    this.byId.set(colored.id, watched);
    observer.observe(block);
    if (before) this.askFor(watched);
  }

  private observerOf(block: Element): IntersectionObserver {
    const root = block.closest('[data-parley="transcript"]') ?? document.documentElement;
    const known = this.observers.get(root);
    if (known) return known;
    const options = { root: root === document.documentElement ? null : root, rootMargin: MARGIN };
    const observer = new IntersectionObserver((entries) => this.moved(entries), options);
    this.observers.set(root, observer);
    return observer;
  }

  private moved(entries: readonly IntersectionObserverEntry[]): void {
    const changed = new Set<Watched>();
    for (const { target, isIntersecting } of entries) {
      const watched = this.watched.get(target);
      if (!watched) continue;
      changed.add(watched);
      if (target !== watched.block)
        this.update(watched, () => watched.colored.setNear(target, isIntersecting));
      else if (isIntersecting) this.approach(watched);
      else if (target.isConnected) this.leave(watched);
      else this.drop(watched);
    }
    for (const watched of changed) {
      this.update(watched, () => watched.colored.paintNear());
      this.askFor(watched);
    }
  }

  /** Colours some text; the observer does not hear of it. */
  private update(watched: Watched, work: () => void): void {
    const records = watched.changes?.takeRecords() ?? [];
    if (records.length > 0) this.changed(watched, records);
    work();
    watched.changes?.takeRecords();
  }

  private approach(watched: Watched): void {
    if (watched.changes) return;
    if (!watched.colored.hasLinesOf(watched.colored.code)) this.renew(watched);
    watched.changes = new MutationObserver((records) => this.changed(watched, records));
    watched.changes.observe(watched.colored.code, { childList: true, subtree: true, characterData: true });
    this.observeBoxes(watched);
  }

  private leave(watched: Watched): void {
    watched.changes?.disconnect();
    watched.changes = undefined;
    for (const box of watched.colored.code.children) this.forgetBox(watched, box);
    watched.boxes = 0;
    watched.colored.clear();
  }

  private drop(watched: Watched): void {
    watched.observer.unobserve(watched.block);
    this.watched.delete(watched.block);
    if (this.byId.get(watched.colored.id) === watched) this.byId.delete(watched.colored.id);
    watched.changes?.disconnect();
    for (const box of watched.colored.code.children) this.forgetBox(watched, box);
    watched.colored.clear();
  }

  private forgetBox({ observer }: Watched, box: Element): void {
    if (this.watched.delete(box)) observer.unobserve(box);
  }

  private observeBoxes(watched: Watched): void {
    const { children } = watched.colored.code;
    for (; watched.boxes < children.length; watched.boxes++) {
      const box = children[watched.boxes];
      if (!box || this.watched.has(box)) continue;
      this.watched.set(box, watched);
      watched.observer.observe(box);
    }
  }

  private changed(watched: Watched, records: readonly MutationRecord[]): void {
    const { colored } = watched;
    const touched = new Set<Element>();
    for (const { target, removedNodes } of records) {
      if (removedNodes.length > 0 && target instanceof Element) touched.add(target);
      for (const node of removedNodes) if (node instanceof Element) this.forgetBox(watched, node);
    }
    if (touched.size > 0) {
      watched.boxes = 0;
      if (!colored.hasLinesOf(colored.code)) this.renew(watched);
      colored.repaint(touched);
      watched.changes?.takeRecords();
    }
    this.observeBoxes(watched);
    this.askFor(watched);
  }

  private renew(watched: Watched): void {
    this.byId.delete(watched.colored.id);
    watched.colored.renew(this.next++);
    this.byId.set(watched.colored.id, watched);
  }

  private askFor({ colored }: Watched): void {
    const question = colored.question();
    if (question) this.ask(question);
  }
}
