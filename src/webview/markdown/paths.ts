import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { linkTarget } from './links';

/** Names of files end in these often enough that a name without a folder counts as a file. */
const EXTENSIONS = new Set(
  (
    'astro bash bat c cc cfg cjs clj cmake conf cpp cs csproj css csv cts cxx dart diff dockerfile ejs env erl ex exs fs go gradle ' +
    'graphql groovy h hbs hpp hs htm html hxx ini ipynb java jl js json json5 jsonc jsx kt kts less lock log lua m md mdx mjs ml mm ' +
    'mts nix patch php pl pm prisma properties proto ps1 py pyi r rb rs rst sass scala scss sh sln snap sol sql svelte svg swift ' +
    'tcl tex tf toml ts tsx txt vb vue wat xaml xml yaml yml zig zsh png jpg jpeg gif webp pdf'
  ).split(' '),
);

const LINE = String.raw`(?::\d{1,7}(?::\d{1,7})?(?:-\d{1,7})?|#L\d{1,7}(?:-L?\d{1,7})?)`;

/** A path in running text: always with a line, and neither a part of a word nor of an address. */
const IN_TEXT = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\w/\\.:@%+~#&=?$*-])` +
    String.raw`((?:[A-Za-z]:[\\/]|\.{1,2}[\\/]|(?<![\p{L}\p{N}])/)?(?:[\w@.+-]+[\\/])*[\w@.+-]*\.[A-Za-z]\w{0,11})` +
    `${LINE}(?!:?\\w|[/\\\\#@-])`,
  'gu',
);

/** A path that is all of a piece of code. */
const IN_CODE = new RegExp(
  String.raw`^((?:[A-Za-z]:[\\/]|\.{1,2}[\\/]|/)?(?:[\p{L}\p{N}_@.+()[\]-]+[\\/])*[\p{L}\p{N}_@.+()[\]-]+)(${LINE})?$`,
  'u',
);

const MAX_PATH = 400;

const extensionOf = (path: string): string => /\.([A-Za-z]\w{0,11})$/.exec(path)?.[1]?.toLowerCase() ?? '';

const hasFolder = (path: string): boolean => /[\\/]/.test(path);

/** Whether a piece of code names a file: a known kind of file or a line of one, in a folder or with its line. */
function isPathInCode(code: string): boolean {
  const match = code.length <= MAX_PATH ? IN_CODE.exec(code) : null;
  const [, path = '', line] = match ?? [];
  if (!match || !/\p{L}/u.test(path)) return false;
  const known = EXTENSIONS.has(extensionOf(path));
  return hasFolder(path) ? known || line !== undefined : known && line !== undefined;
}

/** Teaches a parser paths: `src/a.ts:12` in text and in code becomes a link that opens the file. */
export function addPaths(parser: MarkdownIt): void {
  parser.core.ruler.after('text_join', 'paths', ({ tokens, Token }: StateCore) => {
    for (const token of tokens)
      if (token.type === 'inline' && token.children) token.children = linked(token.children, Token);
  });
}

function linked(tokens: readonly Token[], TokenClass: StateCore['Token']): Token[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') depth++;
    if (token.type === 'link_close') depth--;
    if (depth > 0) return [token];
    if (token.type === 'code_inline' && isPathInCode(token.content))
      return linkAround(token, token.content, TokenClass);
    return token.type === 'text' ? linkedText(token, TokenClass) : [token];
  });
}

function linkedText(token: Token, TokenClass: StateCore['Token']): Token[] {
  const { content } = token;
  const parts: Token[] = [];
  let from = 0;
  const text = (to: number): Token =>
    Object.assign(textToken(TokenClass, content.slice(from, to)), { level: token.level });
  for (const match of content.matchAll(IN_TEXT)) {
    const [href, path = ''] = match;
    if (href.length > MAX_PATH || !(hasFolder(path) || EXTENSIONS.has(extensionOf(path)))) continue;
    if (match.index > from) parts.push(text(match.index));
    parts.push(...linkAround(textToken(TokenClass, href), href, TokenClass));
    from = match.index + href.length;
  }
  if (parts.length === 0) return [token];
  if (from < content.length) parts.push(text(content.length));
  return parts;
}

function textToken(TokenClass: StateCore['Token'], content: string): Token {
  const token = new TokenClass('text', '', 0);
  token.content = content;
  return token;
}

function linkAround(token: Token, href: string, TokenClass: StateCore['Token']): Token[] {
  if (linkTarget(href)?.kind !== 'file') return [token];
  const open = new TokenClass('link_open', 'a', 1);
  open.attrs = [['href', href]];
  open.markup = 'path';
  return [open, token, new TokenClass('link_close', 'a', -1)];
}
