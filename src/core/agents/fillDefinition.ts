import { withVariables } from '../launch/environment';
import { replaceVariables, type VariableValues } from '../mcp/variables';
import type { AgentDefinition } from './definition';

/** What the variables of a definition stand for. */
export type DefinitionValues = Omit<VariableValues, 'inputs' | 'folders'>;

/**
 * A definition with its variables replaced, as in other settings of VS Code: `${env:NAME}` (empty where it is not set),
 * `${workspaceFolder}` (the folder of the session), `${userHome}`; what is not known stays as it is written. `env` becomes the whole
 * environment of the agent: that of the shell, then the variables of the definition. A command and a folder may begin with `~`.
 */
export function fillDefinition(definition: AgentDefinition, values: DefinitionValues): AgentDefinition {
  const all: VariableValues = { ...values, folders: [], inputs: new Map() };
  const fill = (text: string): string => replaceVariables(text, all);
  const path = (text: string): string => fill(text).replace(/^~(?=$|[\\/])/, () => values.userHome);
  const { command, args, env, cwd, shell } = definition;
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
  return {
    ...definition,
    // The shell has its own way with a tilde.
    command: shell ? fill(command) : path(command),
    args: args.map(fill),
    env: withVariables(values.env, own, values.windows),
    ...(cwd === undefined ? {} : { cwd: path(cwd) }),
  };
}
