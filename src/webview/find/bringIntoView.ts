/** Share of the view's height at which a place that was out of view is shown: below the find bar. */
const AT = 0.3;

const scrolls = (element: Element): boolean =>
  element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;

function shift(low: number, high: number, from: number, to: number): number {
  if (from >= low && to <= high) return 0;
  return from - low - (high - low) * AT;
}

/** Scrolls a place into view: in boxes of the conversation that scroll by themselves, and in the conversation. */
export function bringIntoView(range: Range, log: Element): void {
  let element = range.startContainer.parentElement;
  while (element) {
    if (element === log || (scrolls(element) && /auto|scroll/.test(getComputedStyle(element).overflow))) {
      const place = range.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      // Under the find bar a place would be hidden.
      const top = element === log ? box.top + 48 : box.top;
      element.scrollTop += shift(top, box.bottom, place.top, place.bottom);
      if (element !== log) element.scrollLeft += shift(box.left, box.right, place.left, place.right);
    }
    if (element === log) return;
    element = element.parentElement;
  }
}
