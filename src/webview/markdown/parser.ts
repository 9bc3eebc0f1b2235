import createMarkdownIt, { type MarkdownIt } from 'markdown-it';
import { isInlineImage, linkTarget } from './links';
import { addMath } from './math';
import { addPaths } from './paths';
import { addTasks } from './tasks';

/** Makes the parser of messages: no HTML, and only links that `linkTarget` knows; formulas, tasks and paths besides. */
export function createParser(): MarkdownIt {
  const parser = createMarkdownIt({ html: false, linkify: true });
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  parser.validateLink = (url) => linkTarget(url) !== undefined || isInlineImage(url);
  // What stands behind a fence is escaped like a text.
  parser.core.ruler.after('block', 'fence_info', ({ tokens }) => {
    for (const token of tokens) if (token.info) token.info = parser.utils.unescapeAll(token.info.trim());
  });
  addMath(parser);
  addTasks(parser);
  addPaths(parser);
  return parser;
}
