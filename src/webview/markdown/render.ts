import type { Token } from 'markdown-it';
import { isInlineImage, linkTarget } from './links';

/** Longest text node of a code block: one giant node makes each append cost a layout of all of it. */
const MAX_TEXT_NODE = 4096;

const TAGS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td hr em strong s br'.split(' '),
);

/** Adds text to the end of a code block without touching what is there. */
export function appendCode(code: Element, text: string): void {
  const last = code.lastChild;
  if (last?.nodeType === 3 && (last.nodeValue ?? '').length + text.length <= MAX_TEXT_NODE) {
    (last as Text).appendData(text);
    return;
  }
  for (let at = 0; at < text.length;) {
    const newline = text.lastIndexOf('\n', at + MAX_TEXT_NODE) + 1;
    const end = newline > at ? newline : Math.min(text.length, at + MAX_TEXT_NODE);
    code.append(code.ownerDocument.createTextNode(text.slice(at, end)));
    at = end;
  }
}

/** Turns tokens of markdown-it into DOM nodes; text never passes through HTML. */
export class TokenRenderer {
  constructor(
    private readonly document: Document,
    private readonly labels: { copyCode: string },
  ) {}

  render(tokens: readonly Token[]): DocumentFragment {
    const root = this.document.createDocumentFragment();
    this.fill(root, tokens);
    return root;
  }

  private fill(root: ParentNode & Node, tokens: readonly Token[]): void {
    const stack: Node[] = [root];
    for (const token of tokens) {
      const parent = stack.at(-1) ?? root;
      if (token.hidden) continue;
      if (token.nesting === -1) stack.pop();
      else if (token.nesting === 1) stack.push(this.open(token, parent));
      else this.leaf(token, parent);
    }
  }

  private open(token: Token, parent: Node): Node {
    const element = token.type === 'link_open' ? this.link(token) : this.element(token);
    if (token.tag === 'table') {
      const frame = this.document.createElement('div');
      frame.className = 'table';
      frame.append(element);
      parent.appendChild(frame);
    } else parent.appendChild(element);
    return element;
  }

  private element(token: Token): HTMLElement {
    const element = this.document.createElement(TAGS.has(token.tag) ? token.tag : 'span');
    const start = token.attrGet('start');
    if (start !== null) element.setAttribute('start', String(start));
    const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
    if (align) element.className = `align-${align}`;
    return element;
  }

  private link(token: Token): HTMLElement {
    return this.linkTo(String(token.attrGet('href') ?? ''), String(token.attrGet('title') ?? ''));
  }

  /** A link without `href`: the page sends the click on, it never navigates. */
  private linkTo(href: string, title: string): HTMLElement {
    if (!linkTarget(href)) return this.document.createElement('span');
    const link = this.document.createElement('a');
    link.setAttribute('role', 'link');
    link.tabIndex = 0;
    link.dataset['href'] = href;
    link.title = title ? `${title}\n${href}` : href;
    return link;
  }

  private leaf(token: Token, parent: Node): void {
    switch (token.type) {
      case 'inline':
        this.fill(parent as ParentNode & Node, token.children ?? []);
        return;
      case 'fence':
      case 'code_block':
        parent.appendChild(this.code(token));
        return;
      case 'code_inline':
        parent.appendChild(this.document.createElement('code')).textContent = token.content;
        return;
      case 'image':
        parent.appendChild(this.image(token));
        return;
      case 'softbreak':
        parent.appendChild(this.document.createTextNode('\n'));
        return;
      case 'hardbreak':
      case 'hr':
        parent.appendChild(this.element(token));
        return;
      default:
        if (token.content) parent.appendChild(this.document.createTextNode(token.content));
    }
  }

  private image(token: Token): Node {
    const source = String(token.attrGet('src') ?? '');
    if (isInlineImage(source)) {
      const image = this.document.createElement('img');
      image.src = source;
      image.alt = token.content;
      return image;
    }
    const link = this.linkTo(source, String(token.attrGet('title') ?? ''));
    link.textContent = token.content || source;
    return link;
  }

  private code(token: Token): HTMLElement {
    const { document } = this;
    const language = /^\S+/.exec(token.info)?.[0] ?? '';
    const block = document.createElement('div');
    block.className = 'code';
    const head = block.appendChild(document.createElement('div'));
    head.className = 'code-head';
    head.appendChild(document.createElement('span')).textContent = language;
    const copy = head.appendChild(document.createElement('button'));
    copy.type = 'button';
    copy.className = 'icon';
    copy.dataset['copyCode'] = '';
    copy.setAttribute('aria-label', this.labels.copyCode);
    copy.title = this.labels.copyCode;
    copy.appendChild(document.createElement('i')).className = 'codicon codicon-copy';
    const pre = block.appendChild(document.createElement('pre'));
    pre.dir = 'ltr';
    appendCode(pre.appendChild(document.createElement('code')), token.content);
    return block;
  }
}
