/** What was seen of one streamed message; times are ms since the epoch. */
export interface Recording {
  /** When Enter was pressed. */
  sent: number;
  /** When the agent began, as the message says in its first line. */
  begun: number;
  /** When the last word had been drawn. */
  shown: number;
  /** Longest time between two frames in between, ms. */
  longestGap: number;
  frames: number;
  /** Headings of the message that are in the page: all renderers must show the same. */
  headings: number;
}

declare global {
  interface Window {
    recorder: { start: (selector: string, lastWords: string) => void; recording: Partial<Recording> };
  }
}

/** The end of an element's text, without reading all of it. */
function endOf(element: Element | undefined): string {
  let node: Node | null | undefined = element;
  while (node?.lastChild) node = node.lastChild;
  return node?.textContent ?? '';
}

/** Watches the last element that matches, from the next press of Enter until the last words have been drawn. */
function start(selector: string, lastWords: string): void {
  const recording: Partial<Recording> = {};
  window.recorder.recording = recording;
  const find = (): Element | undefined => Array.from(document.querySelectorAll(selector)).at(-1);
  let last: number | undefined;
  let [frames, longestGap] = [0, 0];
  const onFrame = (): void => {
    const now = performance.now();
    if (last !== undefined) longestGap = Math.max(longestGap, now - last);
    last = now;
    frames++;
    const element = find();
    if (!element || !endOf(element).trimEnd().endsWith(lastWords)) {
      requestAnimationFrame(onFrame);
      return;
    }
    // After the next frame the words are on screen even where they came after this frame's callbacks.
    requestAnimationFrame(() =>
      setTimeout(() => {
        const begun = Number(/First chunk at (\d+)/.exec(element.textContent ?? '')?.[1]);
        const headings = element.querySelectorAll('h1, h2, h3, h4, h5, h6').length;
        longestGap = Math.max(longestGap, performance.now() - now);
        Object.assign(recording, { begun, shown: Date.now(), longestGap, frames, headings });
      }),
    );
  };
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key !== 'Enter') return;
    document.removeEventListener('keydown', onKey, true);
    recording.sent = Date.now();
    requestAnimationFrame(onFrame);
  };
  document.addEventListener('keydown', onKey, true);
}

window.recorder = { start, recording: {} };
