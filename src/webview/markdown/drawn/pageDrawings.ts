import { loadPart } from '../../lazy';
import type { Page } from '../../page';
import type { Drawings } from '../render';
import { Diagrams } from './diagrams';
import { Formulas } from './formulas';
import { Pictures } from './pictures';

/** What the page draws over the source of messages. */
export class PageDrawings implements Drawings {
  readonly pictures: Pictures;
  private readonly formulas: Formulas;
  private readonly diagrams: Diagrams;

  constructor(private readonly page: Page) {
    this.formulas = new Formulas(
      () => loadPart('katex'),
      (error) => console.error(error),
    );
    this.diagrams = new Diagrams(
      () => loadPart('mermaid'),
      (key) => page.t(key),
    );
    this.pictures = new Pictures(
      (session, path) => page.channel.readPicture(session, path),
      () => page.key.peek(),
    );
  }

  formula(element: HTMLElement, tex: string, display: boolean): void {
    this.formulas.draw(element, tex, display);
  }

  diagram(block: HTMLElement, source: string): void {
    this.diagrams.draw(block, source);
  }

  picture(link: HTMLElement, path: string): void {
    this.pictures.draw(link, path);
  }

  task(done: boolean): string {
    return this.page.t(done ? 'taskDone' : 'taskOpen');
  }
}
