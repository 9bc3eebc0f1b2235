import { Window } from 'happy-dom';
import { linkTarget } from '../../../src/webview/markdown/links';

const document = new Window().document as unknown as Document;

const BLOCKS = new Set(
  'P H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE HR PRE TABLE THEAD TBODY TR TH TD'.split(' '),
);

/** Blanks of the HTML between blocks, and those at the edges of a block, are not shown. */
function trimmed(texts: string[]): string {
  return texts
    .join('')
    .replace(/<br>\n/g, '<br>')
    .replace(/^\s+|\s+$/g, '')
    .replace(/\s*(<\/?(?:p|h[1-6]|ul|ol|li|blockquote|hr|pre|table|thead|tbody|tr|th|td)\b[^>]*>)\s*/g, '$1');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function linkLook(href: string, title: string, content: string): string {
  return linkTarget(href) ? `<a ${href}|${title}>${content}</a>` : content;
}

/** A link of a page of Parley has its target in `data-href` and in its title. */
function ownLinkLook(link: HTMLElement, content: string): string {
  const href = link.dataset['href'] ?? '';
  return linkLook(href, link.title === href ? '' : link.title.slice(0, -href.length - 1), content);
}

function codeLook(code: Element, language: string): string {
  return `<pre ${language}>${escaped(code.textContent ?? '').replaceAll('\n', '\u2424')}</pre>`;
}

const attribute = (element: Element, name: string): string => element.getAttribute(name) ?? '';

/** What is shown in a way of its own, by its tag. */
const SPECIAL: Readonly<Record<string, (element: HTMLElement, content: string) => string>> = {
  PRE: (element) => {
    const code = element.querySelector('code') ?? element;
    return codeLook(code, code.className.replace('language-', ''));
  },
  A: (element, content) => linkLook(attribute(element, 'href'), attribute(element, 'title'), content),
  // Pictures of others are links to them.
  IMG: (element) =>
    linkLook(attribute(element, 'src'), attribute(element, 'title'), escaped(attribute(element, 'alt'))),
  INPUT: (element) => (element.hasAttribute('checked') ? '[done]' : '[open]'),
  DIV: (_, content) => content,
  SPAN: (_, content) => content,
  BR: () => '<br>',
  HR: () => '<hr>',
};

function elementLook(element: HTMLElement): string {
  const { tagName } = element;
  if (element.className === 'code')
    return codeLook(
      element.querySelector('code') ?? element,
      element.querySelector('span')?.textContent ?? '',
    );
  const content = childrenLook(element);
  if (element.dataset['href'] !== undefined) return ownLinkLook(element, content);
  return SPECIAL[tagName]?.(element, content) ?? plainLook(element, content);
}

function plainLook(element: HTMLElement, content: string): string {
  const { tagName } = element;
  const start = element.hasAttribute('start') ? ` ${attribute(element, 'start')}` : '';
  const align = /left|center|right/.exec(element.className || attribute(element, 'align'))?.[0];
  const tag = tagName.toLowerCase();
  return `<${tag}${start}${align ? ` ${align}` : ''}>${BLOCKS.has(tagName) ? trimmed([content]) : content}</${tag}>`;
}

function childrenLook(parent: Node): string {
  return [...parent.childNodes]
    .map((node) => (node.nodeType === 1 ? elementLook(node as HTMLElement) : escaped(node.nodeValue ?? '')))
    .join('');
}

/** What nodes show, in words that are the same for HTML of CommonMark and for the page's own nodes. */
export function lookOf(parent: Node): string {
  return trimmed([childrenLook(parent)]);
}

/** What a piece of HTML shows. */
export function lookOfHtml(html: string): string {
  const container = document.createElement('div');
  container.innerHTML = html;
  return lookOf(container);
}
