import { createParser } from '../../../src/webview/markdown/parser';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const host = acquireVsCodeApi();
const parser = createParser();
const box = document.body.appendChild(document.createElement('div'));
box.dataset['control'] = 'page';
box.tabIndex = 0;
box.style.cssText = 'height: 100vh; overflow: auto';
const content = box.appendChild(document.createElement('div'));
content.className = 'markdown';
new ResizeObserver(() => (box.scrollTop = box.scrollHeight)).observe(content);
box.addEventListener('keydown', ({ key }) => key === 'Enter' && host.postMessage('prompt'));

let text = '';
let chunks = 0;
window.addEventListener('message', ({ data }: MessageEvent<string>) => {
  text += data;
  content.innerHTML = parser.render(text);
  box.dataset['chunks'] = String(++chunks);
});
