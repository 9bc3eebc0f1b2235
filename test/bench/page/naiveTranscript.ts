import { textOf } from '../../../src/core/session/select';
import type { Entry } from '../../../src/core/session/state';
import { applyAction } from '../../../src/core/session/reduce';
import { createParser } from '../../../src/webview/markdown/parser';
import { answer, longSession, turn } from './longSession';
import { painted, scrollUp } from './frames';
import type {} from './transcriptHost';

const parser = createParser();

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** An entry with about as much inside as the page draws. */
function html(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
      return `<div class="entry me"><div class="message-tools"><button class="icon"><i class="codicon codicon-copy"></i></button></div><div class="me-content"><div class="plain">${escaped(textOf(entry.blocks))}</div></div></div>`;
    case 'agent':
      return `<div class="entry say"><div class="message-tools"><button class="icon"><i class="codicon codicon-copy"></i></button></div><div class="markdown">${parser.render(textOf(entry.blocks))}</div></div>`;
    case 'thought':
      return `<div class="entry thought"><button class="fold"><i class="codicon codicon-chevron-right"></i><span>Thought for 2 s</span></button></div>`;
    case 'tool':
      return `<div class="entry card"><button class="fold"><i class="codicon codicon-edit"></i><span class="tool-title cut">${escaped(entry.title)}</span><span class="dim">2 s</span><i class="codicon codicon-check"></i></button></div>`;
    default:
      return `<div class="entry end"><span class="dim">Done in 9 s</span><button class="icon"><i class="codicon codicon-copy"></i></button></div>`;
  }
}

const log = document.body.appendChild(document.createElement('div'));
log.style.cssText = 'height: 700px; overflow: auto';
const content = log.appendChild(document.createElement('div'));

/** Draws all entries anew and scrolls to the end. */
function draw(entries: readonly Entry[]): void {
  content.innerHTML = entries.map(html).join('');
  log.scrollTop = log.scrollHeight;
}

let state = longSession(0);
let next = 1;
let waiting = turn(0).slice(0, 0);

/** The control: every entry is in the document, and each new one draws all of them. */
window.bench = {
  begin: async (entries) => {
    state = longSession(entries);
    next = entries / 5 + 1;
    const start = performance.now();
    draw(structuredClone(state).entries);
    await painted();
    return performance.now() - start;
  },
  rest: painted,
  append: async () => {
    if (waiting.length === 0) waiting = turn(next++);
    for (const action of waiting.splice(0, 1)) applyAction(state, action, () => undefined);
    draw(state.entries);
    await painted();
  },
  /** Draws the one message anew with each chunk, which is kinder than all of them. */
  stream: async (chunks) => {
    const text = Array.from({ length: 40 }, (_, i) => answer(i)).join('\n\n');
    const message = content.appendChild(document.createElement('div'));
    message.className = 'entry say markdown';
    for (let i = 0; i < chunks; i++) {
      message.innerHTML = parser.render(text.slice(0, (i + 1) * 6));
      log.scrollTop = log.scrollHeight;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await painted();
  },
  scroll: (steps, px) => scrollUp(log, steps, px),
};
