// Loaded by `node --import` before the compiler: one source file gets another text, in this process alone. PARLEY_MUTANT says which.
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const { file, find, replace, mark } = JSON.parse(process.env.PARLEY_MUTANT ?? '{}');
// Agents that a test starts run as they are.
delete process.env.PARLEY_MUTANT;

if (file) {
  const read = fs.readFileSync;
  const mutate = (text) => {
    const parts = text.split(find);
    // Found exactly once, or the run has no meaning.
    if (parts.length === 2) fs.appendFileSync(mark, 'changed\n');
    return parts.join(replace);
  };

  fs.readFileSync = (path, ...rest) => {
    const content = read(path, ...rest);
    if (path !== file) return content;
    const text = mutate(content.toString());
    return typeof content === 'string' ? text : Buffer.from(text);
  };
  syncBuiltinESMExports();

  // The page is bundled by a program of its own, which reads by itself.
  const require = createRequire(import.meta.url);
  const esbuild = require('esbuild');
  const loader = file.endsWith('x') ? 'tsx' : 'ts';
  const plugin = {
    name: 'mutant',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.tsx?$/ }, ({ path }) =>
        path === file ? { contents: mutate(read(path, 'utf8')), loader } : undefined,
      ),
  };
  const build = (options) => esbuild.build({ ...options, plugins: [...(options.plugins ?? []), plugin] });
  require.cache[require.resolve('esbuild')].exports = { ...esbuild, build };
}
