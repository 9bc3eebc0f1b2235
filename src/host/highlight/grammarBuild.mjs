// How the grammars become files of their own in dist/highlight, each loaded when it is first needed.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';

const FOLDER = 'node_modules/@shikijs/langs/dist';
const IMPORT = /^import \w+ from '\.\/([\w-]+)\.mjs'$/gm;

/** The names of the grammars that Parley colours code with. */
async function wantedGrammars() {
  const { outputFiles } = await build({
    entryPoints: ['src/core/highlight/languages.ts'],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const { grammars } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
  return grammars;
}

/** The files of the grammars and of those that they embed. */
export async function grammarFiles() {
  const names = new Set(await wantedGrammars());
  for (const name of names)
    for (const [, embedded] of readFileSync(`${FOLDER}/${name}.mjs`, 'utf8').matchAll(IMPORT))
      names.add(embedded);
  return [...names].map((name) => `${FOLDER}/${name}.mjs`);
}

/** Leaves what a grammar embeds in the file beside it. */
export const embeddedApart = {
  name: 'embedded grammars',
  setup(job) {
    job.onResolve({ filter: /^\.\/[\w-]+\.mjs$/ }, ({ path }) => ({
      path: path.replace(/\.mjs$/, '.js'),
      external: true,
    }));
  },
};
