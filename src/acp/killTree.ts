import { ProcessTree } from './processTree';

/** Stops a process and all that it started. `force` is SIGKILL, else SIGTERM; Windows knows only the first. */
export function killTree(pid: number, force: boolean): void {
  const tree = new ProcessTree(pid);
  if (force) tree.kill();
  else tree.signal('SIGTERM');
}
