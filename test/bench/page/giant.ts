import { MarkdownCommitter } from '../../../src/webview/markdown/committer';
import { createParser } from '../../../src/webview/markdown/parser';
import { TokenRenderer } from '../../../src/webview/markdown/render';
import { codeLabels } from '../../support/codeLabels';
import { MarkdownStream } from '../../../src/webview/markdown/stream';

/** Shows a message of which one more piece has arrived with each frame; resolves to the longest task meanwhile, ms. */
export type ShowFrames = (pieces: readonly string[]) => Promise<number>;

const parser = createParser();
const renderer = new TokenRenderer(document, codeLabels);

function openMessage(): HTMLElement {
  const element = document.body.appendChild(document.createElement('div'));
  element.style.cssText = 'height: 700px; overflow: auto';
  const content = element.appendChild(document.createElement('div'));
  content.className = 'markdown';
  new ResizeObserver(() => (element.scrollTop = element.scrollHeight)).observe(content);
  return content;
}

async function eachFrame(pieces: readonly string[], draw: (text: string) => void): Promise<number> {
  let longest = 0;
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  });
  tasks.observe({ type: 'longtask' });
  let text = '';
  for (const piece of pieces) {
    text += piece;
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        draw(text);
        resolve();
      });
    });
  }
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  tasks.disconnect();
  return longest;
}

/** The control: renders the whole message anew with each frame. */
const naive: ShowFrames = (pieces) => {
  const content = openMessage();
  return eachFrame(pieces, (text) => {
    content.innerHTML = parser.render(text);
  });
};

/** The page's way; throws if the message does not end up as one rendering would show it. */
const committer: ShowFrames = async (pieces) => {
  const content = openMessage();
  const stream = new MarkdownStream(new MarkdownCommitter(content, parser, renderer));
  const whole = pieces.join('');
  const longest = await eachFrame(pieces, (text) => stream.update(text, text.length === whole.length));
  const expected = document.createElement('div');
  expected.append(renderer.render(parser.parse(whole, {})));
  if (content.innerHTML !== expected.innerHTML) throw new Error('The message is not what it should be.');
  return longest;
};

Object.assign(window, { naive, committer });
