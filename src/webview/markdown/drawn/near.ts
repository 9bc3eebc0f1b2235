/** How far (px) below or above the view something is drawn already. */
const MARGIN = 600;

type Listener = () => void;

const listeners = new WeakMap<Element, Listener>();

let observer: IntersectionObserver | undefined;

function observe(): IntersectionObserver {
  return new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (!isIntersecting) continue;
        observer?.unobserve(target);
        listeners.get(target)?.();
        listeners.delete(target);
      }
    },
    { rootMargin: `${MARGIN}px 0px` },
  );
}

/** Calls back once, when an element comes near the view; never for one that is taken out before. */
export function whenNear(element: Element, listener: Listener): void {
  observer ??= observe();
  listeners.set(element, listener);
  observer.observe(element);
}
