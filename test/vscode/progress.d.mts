export class SetupError extends Error {
  constructor(what: string, cause: string, next: string);
}
export function step<T>(label: string, work: () => Promise<T>): Promise<T>;
export function run(
  command: string,
  args: string[],
  options?: { cwd?: string; env?: NodeJS.ProcessEnv; stdio?: 'pipe' | 'inherit'; timeout?: number },
): Promise<string>;
