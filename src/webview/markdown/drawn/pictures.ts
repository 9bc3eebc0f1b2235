import { isInlineImage } from '../links';
import { Cache } from './cache';
import { whenNear } from './near';

/** Answers that are kept, and their size together in characters of base64. */
const KEPT = { count: 40, size: 40_000_000 };

/** ms for which an answer is good: a paragraph that grows is drawn again and again, but files change. */
const FRESH = 10_000;

/** Most pictures that one message may ask for; what is beyond them stays a link. */
const MAX_PER_MESSAGE = 50;

interface Answer {
  /** A data URI; empty where there is no picture that can be shown. */
  source: string;
  at: number;
}

/** A path without parts that mean nothing, so that one file is asked for once however a message spells it. */
export function plainPath(path: string): string {
  const parts: string[] = [];
  for (const [at, part] of path.split('/').entries()) {
    if (part === '.' || (part === '' && at > 0)) continue;
    const last = parts.at(-1);
    if (part !== '..' || last === undefined || last === '..') parts.push(part);
    else if (last !== '') parts.pop();
  }
  return parts.join('/');
}

/** Draws pictures of the workspace in the place of links to them, each when it comes near the view. */
export class Pictures {
  private readonly kept = new Cache<Answer>(KEPT.count, KEPT.size);
  /** Links that wait for a picture, by session and path. */
  private readonly waiting = new Map<string, Set<HTMLElement>>();
  /** What each message asked for. */
  private readonly asked = new WeakMap<Element, Set<string>>();

  /** @param ask asks the extension for a picture; the answer comes by `take` */
  constructor(
    private readonly ask: (session: string, path: string) => void,
    private readonly session: () => string,
  ) {}

  /** The element is a link to the picture, and stays where it can't be shown. */
  draw(link: HTMLElement, named: string): void {
    const session = this.session();
    const path = plainPath(named);
    if (!this.showKnown(link, `${session}\n${path}`)) whenNear(link, () => this.request(link, session, path));
  }

  /** Takes an answer: a picture as a data URI, or null where there is none that can be shown. */
  take({ key: session, path, data }: { key: string; path: string; data: string | null }): void {
    const key = `${session}\n${path}`;
    const source = data !== null && isInlineImage(data) ? data : '';
    this.kept.set(key, { source, at: performance.now() }, source.length + 100);
    for (const link of this.waiting.get(key) ?? []) if (link.isConnected) this.showKnown(link, key);
    this.waiting.delete(key);
  }

  /** False where the extension has to be asked. */
  private showKnown(link: HTMLElement, key: string): boolean {
    const known = this.kept.get(key);
    if (!known || performance.now() - known.at > FRESH) return false;
    if (known.source === '') return true;
    const image = document.createElement('img');
    image.alt = link.textContent ?? '';
    image.src = known.source;
    link.replaceChildren(image);
    return true;
  }

  private mayAsk(link: HTMLElement, path: string): boolean {
    const message = link.closest('.markdown') ?? link;
    const asked = this.asked.get(message) ?? new Set();
    this.asked.set(message, asked);
    return asked.has(path) || (asked.size < MAX_PER_MESSAGE && asked.add(path).size > 0);
  }

  private request(link: HTMLElement, session: string, path: string): void {
    const key = `${session}\n${path}`;
    if (this.showKnown(link, key) || !this.mayAsk(link, path)) return;
    const links = this.waiting.get(key);
    if (links) links.add(link);
    else {
      this.waiting.set(key, new Set([link]));
      this.ask(session, path);
    }
  }
}
