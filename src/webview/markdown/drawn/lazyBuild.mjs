// How the parts of the page that are loaded when they are first needed are bundled.
import { readFile } from 'node:fs/promises';

/** Where each part begins; it becomes a file beside the page's script. */
export const lazyParts = {
  katex: 'src/webview/markdown/drawn/katexMain.ts',
  mermaid: 'src/webview/markdown/drawn/mermaidMain.ts',
};

/** What is replaced in Mermaid, with what: it would write styles and parse markup, which the page's policy refuses. */
const REPLACED = [
  [
    /const style1 = document\.createElement\("style"\);\s*style1\.innerHTML = rules;\s*svg\.insertBefore\(style1, firstChild\);/,
    'globalThis.parleyDiagram.adoptStyle(rules);',
  ],
  [
    /const svgCode = .*serializeSvg\(\);/,
    'const svgCode = ""; globalThis.parleyDiagram.take(root.select(`${enclosingDivID_selector} svg`).node());',
  ],
];

/** What Mermaid would load for what is not drawn here: layouts that a diagram has to ask for, and formulas in HTML labels. */
const LEFT_OUT = {
  elkjs:
    'export default class { layout() { return Promise.reject(new Error("ELK layouts are not drawn here.")); } }',
  katex: 'export default { renderToString: (tex) => tex.replace(/[<>&]/g, "") };',
};

/** Makes Mermaid hand over a diagram as it was drawn, and its rules apart; fails where Mermaid has changed. */
export const diagramParts = {
  name: 'parts of diagrams',
  setup(job) {
    job.onResolve({ filter: /^(elkjs|katex)\b/ }, ({ path, importer }) => {
      const name = path.split('/')[0];
      return /[\\/]mermaid[\\/]/.test(importer) ? { path: name, namespace: 'left-out' } : undefined;
    });
    job.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({ contents: LEFT_OUT[path] }));
    job.onLoad({ filter: /mermaid\.core\.mjs$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const [pattern, code] of REPLACED) {
        if (!pattern.test(contents))
          return { errors: [{ text: `Mermaid has no longer what is replaced: ${pattern}` }] };
        contents = contents.replace(pattern, () => code);
      }
      return { contents, loader: 'js' };
    });
  },
};
