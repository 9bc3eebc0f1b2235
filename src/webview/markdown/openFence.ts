import type { Token } from 'markdown-it';

/** A code block whose end has not arrived: what comes is appended as text, without parsing. */
export class OpenFence {
  private constructor(private readonly closing: RegExp) {}

  /**
   * The fence of a block, unless it is closed, indented, or its first two lines are still arriving: a second line of a table's kind
   * makes a table of the first.
   */
  static of(token: Token, source: string): OpenFence | undefined {
    const { markup } = token;
    const firstLineEnd = source.indexOf('\n');
    if (!source.startsWith(markup) || firstLineEnd < 0 || !source.includes('\n', firstLineEnd + 1))
      return undefined;
    const marker = markup.charAt(0);
    const fence = new OpenFence(new RegExp(`^ {0,3}${marker}{${markup.length},}[ \\t]*$`, 'm'));
    return fence.closing.test(source.slice(firstLineEnd + 1)) ? undefined : fence;
  }

  /** True if one of the lines that changed since `from` may end the block. */
  mayClose(text: string, from: number): boolean {
    const lineStart = text.lastIndexOf('\n', from - 1) + 1;
    return this.closing.test(text.slice(lineStart));
  }
}
