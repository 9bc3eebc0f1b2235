import createMarkdownIt, { type MarkdownIt } from 'markdown-it';
import { isInlineImage, linkTarget } from './links';

/** Makes the parser of messages: no HTML, and only links that `linkTarget` knows. */
export function createParser(): MarkdownIt {
  const parser = createMarkdownIt({ html: false, linkify: true });
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  parser.validateLink = (url) => linkTarget(url) !== undefined || isInlineImage(url);
  return parser;
}
