import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/** Teaches a parser items that are tasks, `- [ ] open` and `- [x] done`. */
export function addTasks(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'tasks', ({ tokens, Token }: StateCore) => {
    for (const [at, item] of tokens.entries()) {
      const inline = tokens[at + 2];
      const begins = item.type === 'list_item_open' && tokens[at + 1]?.type === 'paragraph_open';
      if (begins && inline && takeBox(inline, Token)) item.meta = { task: true };
    }
  });
}

/** Puts a box in the place of brackets before the text of an item. */
function takeBox(inline: Token, TokenClass: StateCore['Token']): boolean {
  const [first, ...others] = inline.children ?? [];
  const box = first?.type === 'text' ? /^\[([ xX])\]\s+/.exec(first.content) : null;
  // Brackets alone are text.
  if (!first || !box || (first.content.length === box[0].length && others.length === 0)) return false;
  first.content = first.content.slice(3);
  inline.children = [taskToken(TokenClass, box[1] !== ' '), first, ...others];
  return true;
}

function taskToken(TokenClass: StateCore['Token'], done: boolean): Token {
  const token = new TokenClass('task', 'input', 0);
  token.meta = { done };
  return token;
}
