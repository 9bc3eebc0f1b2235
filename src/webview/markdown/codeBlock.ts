import type { Token } from 'markdown-it';
import { fenceInfo } from '../../core/highlight/fenceInfo';
import { visibleText } from '../../core/visibleText';

/** What the buttons of a code block are called. */
export interface CodeLabels {
  copyCode: string;
  insertCode: string;
  applyCode: string;
  openCode: string;
}

export interface CodeOptions extends CodeLabels {
  /** Hears of each block that is made, before it is in the document. */
  made?: (block: HTMLElement) => void;
}

/** Longest text node of a code block: one giant node makes each append cost a layout of all of it. */
const MAX_TEXT_NODE = 4096;

/** `Node.TEXT_NODE`, which tests without a browser do not have. */
const TEXT_NODE = 3;

/** Lines of a code block that are one box: what is appended costs the layout of the last box only. */
export const LINES_PER_BOX = 32;

function appendText(element: Element, text: string): void {
  const last = element.lastChild;
  const length = last?.nodeType === TEXT_NODE ? (last.nodeValue ?? '').length : Infinity;
  if (length + text.length <= MAX_TEXT_NODE) {
    (last as Text).appendData(text);
    return;
  }
  for (let at = 0; at < text.length; at += MAX_TEXT_NODE)
    element.append(element.ownerDocument.createTextNode(text.slice(at, at + MAX_TEXT_NODE)));
}

/** Takes what is inside a box of lines away but for its text. */
export function asPlainText(box: Element): void {
  const text = box.textContent ?? '';
  box.replaceChildren();
  appendText(box, text);
}

/** Adds text to the end of a code block without touching the lines that are there. */
export function appendCode(code: Element, text: string): void {
  for (let at = 0; at < text.length;) {
    let box = code.lastElementChild;
    let lines = box?.textContent?.split('\n').length ?? Infinity;
    if (!box || lines > LINES_PER_BOX) {
      box = code.appendChild(code.ownerDocument.createElement('div'));
      lines = 1;
    }
    let end = at;
    for (; lines <= LINES_PER_BOX && end < text.length; lines++)
      end = text.indexOf('\n', end) + 1 || text.length;
    appendText(box, text.slice(at, end));
    at = end;
  }
}

/** Gives a code block other text without touching the lines that stay at its beginning. */
export function replaceCode(code: Element, text: string): void {
  const old = code.textContent ?? '';
  let same = 0;
  while (same < old.length && old[same] === text[same]) same++;
  let surplus = old.length - same;
  for (let box = code.lastElementChild; box && surplus > 0; box = code.lastElementChild) {
    const { length } = box.textContent ?? '';
    if (length <= surplus) box.remove();
    else box.textContent = old.slice(same + surplus - length, same);
    surplus -= length;
  }
  appendCode(code, text.slice(same));
}

/** A button of the head: `icon` of the codicons, `action` as the listener of the transcript knows it. */
function button(document: Document, [action, icon, label]: readonly [string, string, string]): HTMLElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'icon';
  element.dataset['code'] = action;
  element.setAttribute('aria-label', label);
  element.title = label;
  element.appendChild(document.createElement('i')).className = `codicon codicon-${icon}`;
  return element;
}

/** Language and file of a block. */
function title(document: Document, info: string): HTMLElement {
  const { language, path } = fenceInfo(info);
  const element = document.createElement('span');
  element.className = 'code-title';
  element.appendChild(document.createElement('span')).textContent = visibleText(language);
  if (path === undefined) return element;
  const file = element.appendChild(document.createElement('span'));
  file.className = 'code-path';
  file.textContent = visibleText(path);
  file.title = path;
  return element;
}

/** The box of a fence or an indented block: a head with the language and the buttons, and the text. */
export function codeBlock(document: Document, token: Token, options: CodeOptions): HTMLElement {
  const block = document.createElement('div');
  block.className = 'code';
  if (token.info) block.dataset['info'] = token.info;
  const head = block.appendChild(document.createElement('div'));
  head.className = 'code-head';
  head.append(
    title(document, token.info),
    button(document, ['copy', 'copy', options.copyCode]),
    button(document, ['insert', 'insert', options.insertCode]),
    button(document, ['apply', 'git-pull-request-go-to-changes', options.applyCode]),
    button(document, ['open', 'go-to-file', options.openCode]),
  );
  const pre = block.appendChild(document.createElement('pre'));
  pre.dir = 'ltr';
  // A box that scrolls must be within reach of the keyboard.
  pre.tabIndex = 0;
  appendCode(pre.appendChild(document.createElement('code')), token.content);
  options.made?.(block);
  return block;
}
