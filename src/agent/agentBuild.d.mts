import type { BuildOptions } from 'esbuild';

export const agentBuild: Pick<BuildOptions, 'supported' | 'plugins'> & {
  entryPoints: Record<string, string>;
};
