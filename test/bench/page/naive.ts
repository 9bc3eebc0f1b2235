import { createParser } from '../../../src/webview/markdown/parser';
import { feed, type StreamInto } from './streamInto';

const parser = createParser();

/** The control: renders the whole message anew for each chunk. */
export const streamInto: StreamInto = async (element, chunks) => {
  const content = element.appendChild(document.createElement('div'));
  content.className = 'markdown';
  const resized = new ResizeObserver(() => (element.scrollTop = element.scrollHeight));
  resized.observe(content);
  let text = '';
  await feed(chunks, (chunk) => {
    text += chunk;
    content.innerHTML = parser.render(text);
  });
  resized.disconnect();
};

Object.assign(window, { naive: streamInto });
