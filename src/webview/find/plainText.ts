import type { MarkdownIt, Token } from 'markdown-it';
import { isInlineImage } from '../markdown/links';
import { altOf } from '../markdown/render';

function textOf({ type, content, children, ...token }: Token): string {
  if (type === 'inline') return (children ?? []).map(textOfChild).join('');
  return type === 'fence' || type === 'code_block' ? content : token.nesting === 0 ? content : '';
}

function textOfChild(token: Token): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n';
  if (token.type !== 'image') return token.content;
  const source = String(token.attrGet('src') ?? '');
  return isInlineImage(source) ? '' : altOf(token) || source;
}

/** The texts that Markdown shows, one for each block; markup is left out. */
export function shownTexts(parser: MarkdownIt, source: string): string[] {
  return parser
    .parse(source, {})
    .map(textOf)
    .filter((text) => text !== '');
}
