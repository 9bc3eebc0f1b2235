import type { Mutant } from '../mutant';

const bridge = 'test/integration/files/fileSystemBridge.test.ts';

/** What is done for the agent: files, terminals, and what its updates leave in the state. */
export const WORK: readonly Mutant[] = [
  {
    duty: 'RP-5',
    file: 'src/core/files/containment.ts',
    find: "path.startsWith('/')",
    replace: "path !== ''",
    test: bridge,
  },
  {
    duty: 'TE-7',
    file: 'src/core/terminal/outputBuffer.ts',
    find: 'String.fromCodePoint(text.codePointAt(units) ?? 0)',
    replace: 'text.charAt(units)',
    test: 'test/unit/core/terminal/outputBuffer.test.ts',
  },
  {
    duty: 'FS-8',
    file: 'src/host/files/plainWrite.ts',
    find: "open(path, 'wx')",
    replace: "open(path, 'r+')",
    test: bridge,
  },
  {
    duty: 'FS-11',
    file: 'src/host/bridges/fileSystemBridge.ts',
    find: 'return await locate(path, roots);',
    replace: 'return { path, real: path };',
    test: bridge,
  },
  {
    duty: 'FS-11',
    file: 'src/core/files/containment.ts',
    find: "inner.startsWith(outer === '/' ? '/' : `${outer}/`)",
    replace: 'inner.startsWith(outer)',
    test: 'test/integration/files/boundary.test.ts',
  },
  {
    duty: 'SE-24',
    file: 'src/host/files/boundary.ts',
    find: 'isInside(real, outer, PATH_RULES)',
    replace: 'isInside(path, outer, PATH_RULES)',
    test: 'test/integration/files/boundary.test.ts',
  },
  {
    duty: 'SE-24',
    file: 'src/host/files/boundary.ts',
    find: "if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;",
    replace: "if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return path;",
    test: 'test/integration/files/boundary.test.ts',
  },
  {
    duty: 'CF-3',
    file: 'src/core/session/config.ts',
    find: "category: asString(option['category'])",
    replace: "category: String(option['category'])",
    test: 'test/unit/core/config.test.ts',
  },
  {
    duty: 'PL-2',
    file: 'src/core/session/reduce.ts',
    find: 'state.plan = update.items;',
    replace: 'state.plan.push(...update.items);',
    test: 'test/unit/core/turns.test.ts',
  },
];
