import type { HostToPage } from '../../core/chat/protocol';
import { Emitter } from '../../core/emitter';
import type { StartPort } from '../chat/webviewChannel';
import type { StartOptions } from './buildStart';
import type { Start } from './start';

/** The first steps of a person, loaded with the first empty session: most windows show one that is in use. */
export function lazyStart(options: StartOptions): Start & StartPort {
  const posted = options.scope.add(new Emitter<HostToPage>());
  const create = async (): Promise<Start & StartPort> => {
    const { buildStart } = await import('./buildStart');
    const start = buildStart(options);
    options.scope.add(start.onDidPost((message) => posted.fire(message)));
    return start;
  };
  let start: Promise<Start & StartPort> | undefined;
  const load = (): Promise<Start & StartPort> => (start ??= create());
  return {
    addAgent: async () => (await load()).addAgent(),
    useAgent: async (id) => (await load()).useAgent(id),
    setUpModel: async () => (await load()).setUpModel(),
    useModel: async (from) => (await load()).useModel(from),
    openFolder: async () => (await load()).openFolder(),
    manageTrust: async () => (await load()).manageTrust(),
    openWalkthrough: async () => (await load()).openWalkthrough(),
    show: (anew) => void load().then((loaded) => loaded.show(anew)),
    showModels: () => void load().then((loaded) => loaded.showModels()),
    onDidPost: posted.event,
  };
}
