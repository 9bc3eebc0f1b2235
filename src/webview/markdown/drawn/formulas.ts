import type { DrawFormula } from '../../lazy';
import { Cache } from './cache';
import { whenNear } from './near';
import { MATHML, safeCopy } from './safeCopy';

/** Formulas that are kept drawn, and their weight in characters of markup: a paragraph that still grows is drawn again with all of its own. */
const KEPT = { count: 500, weight: 5_000_000 };

type Drawn = { element: Element } | { problem: string };

const keyOf = (tex: string, display: boolean): string => `${display ? '$' : ' '}${tex}`;

/** Draws formulas over their source, each when it comes near the view and once what draws them is loaded; where that fails the source stays. */
export class Formulas {
  private readonly kept = new Cache<Drawn>(KEPT.count, KEPT.weight);
  private drawFormula: DrawFormula | undefined;
  /** Elements that wait for the load; undefined where nothing is loading. */
  private waiting: Set<() => void> | undefined;
  private failed = false;

  /** @param load loads what draws a formula */
  constructor(
    private readonly load: () => Promise<DrawFormula>,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  /** The element holds the source. */
  draw(element: HTMLElement, tex: string, display: boolean): void {
    const known = this.kept.get(keyOf(tex, display));
    if (known) this.show(element, known);
    else whenNear(element, () => this.drawNear(element, tex, display));
  }

  private drawNear(element: HTMLElement, tex: string, display: boolean): void {
    if (this.drawFormula) this.show(element, this.drawn(this.drawFormula, tex, display));
    else if (!this.failed) {
      this.begin();
      this.waiting?.add(() => {
        // One that was drawn anew meanwhile waits by itself.
        if (element.isConnected && this.drawFormula)
          this.show(element, this.drawn(this.drawFormula, tex, display));
      });
    }
  }

  private begin(): void {
    if (this.waiting) return;
    this.waiting = new Set();
    this.load().then(
      (draw) => {
        this.drawFormula = draw;
        for (const show of this.waiting ?? []) show();
        this.waiting = undefined;
      },
      (error: unknown) => {
        this.failed = true;
        this.waiting = undefined;
        this.onFailed(error);
      },
    );
  }

  private drawn(draw: DrawFormula, tex: string, display: boolean): Drawn {
    const key = keyOf(tex, display);
    const known = this.kept.get(key);
    if (known) return known;
    const { drawn, weight } = this.make(draw, tex, display);
    this.kept.set(key, drawn, weight + tex.length);
    return drawn;
  }

  private make(draw: DrawFormula, tex: string, display: boolean): { drawn: Drawn; weight: number } {
    try {
      const markup = draw(tex, display);
      const parsed = new DOMParser().parseFromString(markup, 'text/html').querySelector('math');
      const element = parsed && safeCopy(parsed, MATHML, document);
      return { drawn: element ? { element } : { problem: tex }, weight: markup.length };
    } catch (error) {
      return { drawn: { problem: error instanceof Error ? error.message : String(error) }, weight: 0 };
    }
  }

  private show(element: HTMLElement, drawn: Drawn): void {
    if ('element' in drawn) element.replaceChildren(drawn.element.cloneNode(true));
    else element.title = drawn.problem;
    element.classList.add('element' in drawn ? 'drawn' : 'failed');
  }
}
