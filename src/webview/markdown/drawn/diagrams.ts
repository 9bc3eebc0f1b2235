import type { DiagramColors, DrawDiagram, DrawnDiagram } from '../../lazy';
import { visibleText } from '../../../core/visibleText';
import { Cache } from './cache';
import { isSmallDiagram } from './diagramSize';
import { whenNear } from './near';
import { safeCopy, safeSheet, SVG } from './safeCopy';

/** Longest source in characters that is drawn. */
const MAX_SOURCE = 50_000;

/** ms that a diagram may wait for what it loads; its layout can't be interrupted. */
const MAX_TIME = 10_000;

const KEPT = 30;

/** Sources that a person asked for, remembered while the page lives. */
const MAX_ASKED = 200;

const MIN_SCALE = 0.6;

/** Words beside a diagram. */
export type DiagramWord = 'diagram' | 'diagramShow' | 'diagramShowSource' | 'diagramFailed';

/** The theme's colours, as they are now. */
function colorsOf(body: HTMLElement): DiagramColors {
  const style = getComputedStyle(body);
  const color = (name: string, otherwise: string): string =>
    style.getPropertyValue(`--vscode-${name}`).trim() || otherwise;
  const dark = !/vscode-(light|high-contrast-light)/.test(body.className);
  const [paper, ink] = dark ? ['#1f1f1f', '#cccccc'] : ['#ffffff', '#3b3b3b'];
  return {
    dark,
    background: color('editor-background', paper),
    text: color('editor-foreground', color('foreground', ink)),
    box: color('editorWidget-background', paper),
    line: color('descriptionForeground', ink),
    accent: color('contrastBorder', color('charts-blue', ink)),
    font: style.fontFamily || 'sans-serif',
  };
}

/** A drawing is made smaller than it is, but not so that it can't be read. */
function keepLegible(drawing: Element): void {
  const { style } = drawing as SVGElement;
  const width = Number.parseFloat(style.maxWidth);
  if (width > 0) style.minWidth = `${Math.round(width * MIN_SCALE)}px`;
}

/** Lays a drawing out where it is not seen. */
function makeWorkshop(): HTMLElement {
  const workshop = document.createElement('div');
  workshop.className = 'diagram-workshop';
  workshop.setAttribute('aria-hidden', 'true');
  return document.body.appendChild(workshop);
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), MAX_TIME);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Draws diagrams above their source: small ones each when it comes near the view, larger ones when the person asks. Where that fails
 * the source stays, with a line that says so.
 */
export class Diagrams {
  private readonly kept = new Cache<DrawnDiagram | Error>(KEPT);
  private readonly asked = new Cache<true>(MAX_ASKED);
  private readonly sources = new WeakMap<Element, string>();
  private workshop: HTMLElement | undefined;
  private nextId = 1;
  private theme = '';
  private watching: MutationObserver | undefined;

  /** @param load loads what draws a diagram */
  constructor(
    private readonly load: () => Promise<DrawDiagram>,
    private readonly t: (word: DiagramWord) => string,
  ) {}

  /** The element is the box of a finished code block. */
  draw(block: HTMLElement, source: string): void {
    if (this.sources.get(block) === source || source.trim() === '') return;
    this.sources.set(block, source);
    this.watchTheme();
    const known = this.kept.get(this.key(source));
    if (known) this.show(block, known);
    else if (this.asked.get(source) || isSmallDiagram(source))
      whenNear(block, () => void this.make(block, source));
    else this.offer(block);
  }

  /** Shows the source, with a button that draws it. */
  private offer(block: HTMLElement): void {
    this.clear(block);
    this.addToggle(block);
  }

  private async ask(block: HTMLElement): Promise<void> {
    const source = this.sources.get(block);
    if (source === undefined || block.ariaBusy === 'true') return;
    this.asked.set(source, true);
    block.ariaBusy = 'true';
    await this.make(block, source);
    block.ariaBusy = null;
  }

  private key(source: string): string {
    return `${this.theme}\n${source}`;
  }

  private async make(block: HTMLElement, source: string): Promise<void> {
    const key = this.key(source);
    const drawn = this.kept.get(key) ?? (await this.drawn(source));
    this.kept.set(key, drawn);
    if (block.isConnected && this.sources.get(block) === source) this.show(block, drawn);
  }

  private async drawn(source: string): Promise<DrawnDiagram | Error> {
    if (source.length > MAX_SOURCE) return new Error('');
    try {
      const draw = await this.load();
      this.workshop ??= makeWorkshop();
      const look = { colors: colorsOf(document.body), workshop: this.workshop };
      return await inTime(draw(source, `parley-diagram-${this.nextId++}`, look));
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  private show(block: HTMLElement, drawn: DrawnDiagram | Error): void {
    const figure = drawn instanceof Error ? undefined : this.figure(drawn);
    if (figure) {
      block.querySelector('.diagram, .diagram-note')?.remove();
      block.append(figure);
      block.dataset['view'] ??= 'diagram';
      this.addToggle(block);
      return;
    }
    this.clear(block);
    block.querySelector('.diagram-toggle')?.remove();
    block.append(this.note(drawn));
  }

  private clear(block: HTMLElement): void {
    block.querySelector('.diagram, .diagram-note')?.remove();
    delete block.dataset['view'];
  }

  private figure({ svg, css }: DrawnDiagram): HTMLElement | undefined {
    const drawing = safeCopy(svg, SVG, document);
    if (!drawing) return undefined;
    keepLegible(drawing);
    const figure = document.createElement('div');
    figure.className = 'diagram';
    figure.setAttribute('role', 'img');
    figure.setAttribute('aria-label', drawing.querySelector('title')?.textContent || this.t('diagram'));
    figure.tabIndex = 0;
    const root = figure.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [safeSheet(css)];
    root.append(drawing);
    return figure;
  }

  private note(drawn: unknown): HTMLElement {
    const note = document.createElement('div');
    note.className = 'diagram-note';
    note.dir = 'auto';
    note.textContent = this.t('diagramFailed');
    if (drawn instanceof Error && drawn.message) note.title = visibleText(drawn.message);
    return note;
  }

  /** A button that turns from the diagram to its source and back, and that draws what is not drawn yet. */
  private addToggle(block: HTMLElement): void {
    const known = block.querySelector<HTMLElement>('.diagram-toggle');
    const button = known ?? document.createElement('button');
    if (!known) {
      button.setAttribute('type', 'button');
      button.append(document.createElement('i'));
      button.className = 'icon diagram-toggle';
      button.addEventListener('click', () => this.toggle(block));
      block.querySelector('.code-head')?.append(button);
    }
    const isDiagram = block.dataset['view'] === 'diagram';
    const label = this.t(isDiagram ? 'diagramShowSource' : 'diagramShow');
    button.title = label;
    button.setAttribute('aria-label', label);
    const icon = button.querySelector('i');
    if (icon) icon.className = `codicon codicon-${isDiagram ? 'code' : 'graph'}`;
  }

  private toggle(block: HTMLElement): void {
    if (!block.querySelector('.diagram')) {
      void this.ask(block);
      return;
    }
    block.dataset['view'] = block.dataset['view'] === 'diagram' ? 'source' : 'diagram';
    this.addToggle(block);
  }

  /** Draws what is drawn anew when the theme has changed. */
  private watchTheme(): void {
    if (this.watching) return;
    const themeNow = (): string =>
      `${document.body.className} ${document.body.dataset['vscodeThemeId'] ?? ''}`;
    this.theme = themeNow();
    this.watching = new MutationObserver(() => {
      if (themeNow() === this.theme) return;
      this.theme = themeNow();
      for (const figure of document.querySelectorAll('.code > .diagram')) {
        const block = figure.parentElement;
        const source = block && this.sources.get(block);
        if (source !== undefined && source !== null)
          whenNear(block as Element, () => void this.make(block as HTMLElement, source));
      }
    });
    this.watching.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  }
}
