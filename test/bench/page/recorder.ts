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

/** The last words in an element, without reading all of its text. */
function endOf(element: Element): string {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let node: Node | null = nodes.currentNode;
  while (node.lastChild) node = node.lastChild;
  nodes.currentNode = node;
  while (node && !node.textContent?.trim()) node = nodes.previousNode();
  return node?.textContent?.trimEnd() ?? '';
}

/** Watches the last element that matches, from the next press of Enter until the last words have been drawn. */
function start(selector: string, lastWords: string): void {
  const recording: Partial<Recording> & { longestGap: number; frames: number } = { longestGap: 0, frames: 0 };
  window.recorder.recording = recording;
  let last = 0;
  const note = (): void => {
    const now = performance.now();
    if (recording.frames++ > 0) recording.longestGap = Math.max(recording.longestGap, now - last);
    last = now;
  };
  const noteBeginning = (element: Element): void => {
    const found = /First chunk at (\d+)/.exec(element.textContent ?? '');
    if (found) recording.begun = Number(found[1]);
  };
  const finish = (element: Element): void => {
    note();
    recording.headings = element.querySelectorAll('h1, h2, h3, h4, h5, h6').length;
    recording.shown = Date.now();
  };
  const onFrame = (): void => {
    note();
    const element = Array.from(document.querySelectorAll(selector)).at(-1);
    if (element && !recording.begun) noteBeginning(element);
    if (!element || !endOf(element).endsWith(lastWords)) requestAnimationFrame(onFrame);
    // Once the next frame has been drawn the words are on screen, even where they came late in this one.
    else requestAnimationFrame(() => setTimeout(() => finish(element)));
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
