/**
 * The source without what would configure the drawing of this diagram, or of all that follow (a title stays), and without tags that
 * have attributes: labels are text, and Mermaid would parse them to take the attributes away.
 */
export function plainSource(source: string): string {
  // What stands before the first equals sign has none: so no tag is tried in more than one way.
  const bare = source.replace(/%%\{[\s\S]*?\}%%/g, '').replace(/<[a-z][\w-]*[\s/][^<>=]*=[^<>]*>/gi, '');
  return bare.replace(/^\s*---[ \t]*\r?\n([\s\S]*?)\n---[ \t]*(?:\r?\n|$)/, (_, matter: string) => {
    const title = /^title:.*$/m.exec(matter)?.[0];
    return title === undefined ? '' : `---\n${title}\n---\n`;
  });
}
