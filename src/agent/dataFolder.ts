import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the agent keeps its sessions: `$PARLEY_AGENT_HOME`, else a folder of its own where the platform keeps data of programs. */
export function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const own = env['PARLEY_AGENT_HOME'];
  if (own) return own;
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local'), 'parley-agent');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'parley-agent');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'parley-agent');
}
