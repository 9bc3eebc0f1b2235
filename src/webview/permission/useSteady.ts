import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { REFLEX_DELAY } from '../../core/permission/reflexGuard';

/** Whether a press of what is watched can be meant. */
export interface Readiness {
  /** For the look: what is not ready yet says so. */
  ready: boolean;
  /** To be asked at the press itself, since what is on screen may have moved after the last drawing. */
  accepts: () => boolean;
}

/** px that rounding may move something without anyone seeing it. */
const UNSEEN = 2;

const sameSpot = (a: DOMRect, b: DOMRect): boolean =>
  Math.abs(a.top - b.top) < UNSEEN && Math.abs(a.left - b.left) < UNSEEN;

/** Calls `ready` when the element has been in view and in one place for a while, and again with false when it is not. */
class SteadyWatch {
  private readonly sight = new IntersectionObserver((changes) =>
    this.seen(changes.at(-1)?.isIntersecting ?? false),
  );
  private readonly sizes = new ResizeObserver(() => this.settle());
  private timer: ReturnType<typeof setTimeout> | undefined;
  private spot: DOMRect;
  private visible = false;
  private steady = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly report: (ready: boolean) => void,
  ) {
    this.spot = element.getBoundingClientRect();
    this.sight.observe(element);
    // What moves it by layout changes the size of a box around it, or scrolls one.
    for (let box: Element | null = element; box; box = box.parentElement) this.sizes.observe(box);
    document.addEventListener('scroll', this.settle, { capture: true, passive: true });
  }

  readonly accepts = (): boolean => {
    this.settle();
    return this.steady;
  };

  readonly dispose = (): void => {
    this.sight.disconnect();
    this.sizes.disconnect();
    document.removeEventListener('scroll', this.settle, { capture: true });
    clearTimeout(this.timer);
  };

  private seen(visible: boolean): void {
    if (visible === this.visible) return this.settle();
    this.visible = visible;
    this.restart();
  }

  private readonly settle = (): void => {
    if (!sameSpot(this.element.getBoundingClientRect(), this.spot)) this.restart();
  };

  private restart(): void {
    clearTimeout(this.timer);
    this.spot = this.element.getBoundingClientRect();
    this.become(false);
    if (this.visible) this.timer = setTimeout(() => this.ripen(), REFLEX_DELAY);
  }

  private ripen(): void {
    if (sameSpot(this.element.getBoundingClientRect(), this.spot)) this.become(true);
    else this.restart();
  }

  private become(steady: boolean): void {
    this.steady = steady;
    this.report(steady);
  }
}

/**
 * Tells whether something has been in view, and in the same place, long enough for a press to be meant: what has just appeared or moved
 * under the pointer takes none (PE-11). `place` restarts the wait when it changes.
 */
export function useSteady(target: RefObject<HTMLElement | null>, place: string): Readiness {
  const [ready, setReady] = useState(false);
  const watch = useRef<SteadyWatch>(undefined);
  useEffect(() => {
    if (!target.current) return;
    setReady(false);
    const made = new SteadyWatch(target.current, setReady);
    watch.current = made;
    return () => {
      made.dispose();
      watch.current = undefined;
    };
  }, [place]);
  return { ready, accepts: () => watch.current?.accepts() ?? false };
}
