import Module from 'node:module';

/**
 * Loads a source that imports `vscode`, which is only in VS Code, with the given object in its place.
 *
 * @param load Requires the source.
 */
export function withEditor<T>(editor: object, load: () => T): T {
  const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
  const { _load } = loader;
  loader._load = (request, ...rest) => (request === 'vscode' ? editor : _load(request, ...rest));
  try {
    return load();
  } finally {
    loader._load = _load;
  }
}
