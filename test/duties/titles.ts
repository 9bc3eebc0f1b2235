import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A title of a test that names duties. */
export interface NamedTest {
  /** Path below the repository, with `/`. */
  file: string;
  title: string;
  duties: string[];
}

const ID = /\b[A-Z]{2}-\d+\b/g;
/** A title begins with its ids; that of a case with the number of the case. */
const BEGINS_WITH_ID = /^(case \d+: )?[A-Z]{2}-\d+\b/;

/**
 * The titles in `test` that begin with the id of a duty: those of single tests and those in tables of tests. The tests of the built-in
 * agent use the ids for the agent's side of a duty, so they are no proof for the client.
 */
export function findNamedTests(repository: string): NamedTest[] {
  const folder = join(repository, 'test');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name) && !/[\\/]agent[\\/]/.test(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const file = relative(repository, path).replaceAll('\\', '/');
      return literalsOf(readFileSync(path, 'utf8'))
        .filter((title) => BEGINS_WITH_ID.test(title))
        .map((title) => ({ file, title, duties: [...new Set(title.match(ID) ?? [])] }));
    });
}

/** The string literals of a source; of a template its text, with `…` for what is filled in. */
function literalsOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node))
      found.push([node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('…'));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('test.tsx', source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX));
  return found;
}
