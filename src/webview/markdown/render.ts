import type { Token } from 'markdown-it';
import { codeBlock, type CodeOptions } from './codeBlock';
import { isInlineImage, linkTarget } from './links';

const TAGS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td hr em strong s br'.split(' '),
);

/** Draws over the source of what needs more than this page's script; without it the source is all there is. */
export interface Drawings {
  /** The element holds the formula's source. */
  formula(element: HTMLElement, tex: string, display: boolean): void;
  /** The element is the box of a code block that is finished. */
  diagram(block: HTMLElement, source: string): void;
  /** The element is a link to a picture in a file. */
  picture(link: HTMLElement, path: string): void;
  /** Name of the box of a task. */
  task(done: boolean): string;
}

/** The text of a picture's description without its markup. */
export function altOf({ children }: Token): string {
  return (children ?? [])
    .map((child) => {
      if (child.type === 'softbreak' || child.type === 'hardbreak') return '\n';
      return child.type === 'image' ? altOf(child) : child.content;
    })
    .join('');
}

const CLOSING: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]' };

/** Turns tokens of markdown-it into DOM nodes; text never passes through HTML. */
export class TokenRenderer {
  constructor(
    private readonly document: Document,
    private readonly labels: CodeOptions,
    private readonly drawings?: Drawings,
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
      frame.tabIndex = 0;
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
    if (token.meta?.['task']) element.className = 'task';
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
    if (token.type === 'inline') this.fill(parent as ParentNode & Node, token.children ?? []);
    else {
      const node = this.node(token);
      if (node) parent.appendChild(node);
    }
  }

  private node(token: Token): Node | undefined {
    const { document } = this;
    switch (token.type) {
      case 'fence':
      case 'code_block':
        return this.code(token);
      case 'code_inline':
        return Object.assign(document.createElement('code'), { textContent: token.content });
      case 'math_inline':
      case 'math_block':
        return this.formula(token);
      case 'task':
        return this.task(token);
      case 'image':
        return this.image(token);
      case 'hardbreak':
      case 'hr':
        return this.element(token);
      default: {
        const text = token.type === 'softbreak' ? '\n' : token.content;
        return text ? document.createTextNode(text) : undefined;
      }
    }
  }

  private code(token: Token): HTMLElement {
    const block = codeBlock(this.document, token, this.labels);
    this.finishFence(block, token);
    return block;
  }

  /** Lets a fence that has its end be drawn as more than its text. */
  finishFence(block: HTMLElement, { info, content, map }: Token): void {
    if (!this.drawings || !map || !/^mermaid\b/i.test(info)) return;
    const lines = content.split('\n').length - (content.endsWith('\n') || content === '' ? 1 : 0);
    if (map[1] - map[0] === lines + 2) this.drawings.diagram(block, content);
  }

  private image(token: Token): Node {
    const source = String(token.attrGet('src') ?? '');
    if (isInlineImage(source)) {
      const image = this.document.createElement('img');
      image.src = source;
      image.alt = altOf(token);
      return image;
    }
    const link = this.linkTo(source, String(token.attrGet('title') ?? ''));
    link.textContent = altOf(token) || source;
    const target = linkTarget(source);
    if (target?.kind === 'file' && target.line === undefined) this.drawings?.picture(link, target.path);
    return link;
  }

  private formula({ type, content, markup }: Token): HTMLElement {
    const element = this.document.createElement(type === 'math_block' ? 'div' : 'span');
    element.className = 'math';
    element.dir = 'ltr';
    element.textContent = markup + content + (CLOSING[markup] ?? markup);
    this.drawings?.formula(element, content, markup === '$$' || markup === '\\[');
    return element;
  }

  private task({ meta }: Token): HTMLElement {
    const box = this.document.createElement('input');
    box.type = 'checkbox';
    box.disabled = true;
    // The attribute, so that two boxes are compared by what they show.
    box.toggleAttribute('checked', meta?.['done'] === true);
    const label = this.drawings?.task(meta?.['done'] === true);
    if (label !== undefined) box.setAttribute('aria-label', label);
    return box;
  }
}
