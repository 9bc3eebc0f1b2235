import { MarkdownCommitter } from '../../../src/webview/markdown/committer';
import { createParser } from '../../../src/webview/markdown/parser';
import { TokenRenderer } from '../../../src/webview/markdown/render';
import { codeLabels } from '../../support/codeLabels';
import { MarkdownStream } from '../../../src/webview/markdown/stream';
import { feed, type StreamInto } from './streamInto';

/** The page's way: once per frame at most, and only the end of the message. */
export const streamInto: StreamInto = async (element, chunks) => {
  const content = element.appendChild(document.createElement('div'));
  content.className = 'markdown';
  const renderer = new TokenRenderer(document, codeLabels);
  const stream = new MarkdownStream(new MarkdownCommitter(content, createParser(), renderer));
  const resized = new ResizeObserver(() => (element.scrollTop = element.scrollHeight));
  resized.observe(content);
  const lastWord = chunks.join('').trim().split(/\s/).at(-1) ?? '';
  let text = '';
  let scheduled = false;
  await feed(chunks, (chunk) => {
    text += chunk;
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      stream.update(text, false);
    });
  });
  while (!content.textContent?.trimEnd().endsWith(lastWord)) await new Promise(requestAnimationFrame);
  resized.disconnect();
};

Object.assign(window, { committer: streamInto });
