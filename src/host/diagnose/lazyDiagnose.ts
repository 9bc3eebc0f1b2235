import type { Handler } from '../commands';
import type { DisposableStore } from '../../core/lifecycle';
import type { Diagnose, DiagnoseParts } from './buildDiagnose';

/** Shows the diagnostics of an agent; its pages are loaded with the first of them. */
export function lazyDiagnose(scope: DisposableStore, parts: DiagnoseParts): Handler {
  let loaded: Promise<Diagnose> | undefined;
  const load = async (): Promise<Diagnose> => {
    const { buildDiagnose } = await import('./buildDiagnose');
    return scope.add(buildDiagnose(parts));
  };
  return async (agent) => (await (loaded ??= load())).show(agent);
}
