import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureAgent } from './setup.mjs';

/** An entry for the `parley.agents` setting. */
export interface RealAgent {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Its home folder, to be removed after the test. */
  home: string;
}

type Name = 'gemini' | 'copilot';

interface Recipe {
  env: (modelUrl: string, home: string) => Record<string, string>;
  files: Record<string, unknown>;
}

const recipes: Record<Name, Recipe> = {
  gemini: {
    env: (modelUrl) => ({
      GEMINI_API_KEY: 'mock-key',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    files: {
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true, sessionRetention: { enabled: false } },
        telemetry: { enabled: false },
      },
    },
  },
  copilot: {
    env: (modelUrl, home) => ({
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'mock-key',
      COPILOT_MODEL: 'mock-model',
      COPILOT_OFFLINE: 'true',
      COPILOT_HOME: join(home, '.copilot'),
      COPILOT_AUTO_UPDATE: 'false',
    }),
    files: {},
  },
};

/**
 * Get a real agent that asks the model at `modelUrl` and sees nothing of the person's own home folder.
 * Gives `skip` with the reason where the agent cannot be installed.
 */
export async function prepareRealAgent(name: Name, modelUrl: string): Promise<RealAgent | { skip: string }> {
  let command: string;
  try {
    command = await ensureAgent(name);
  } catch (error) {
    return { skip: error instanceof Error ? error.message : String(error) };
  }
  const home = mkdtempSync(join(tmpdir(), `parley-${name}-`));
  const recipe = recipes[name];
  for (const [file, content] of Object.entries(recipe.files)) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), JSON.stringify(content, null, 2));
  }
  const env = { HOME: home, USERPROFILE: home, ...recipe.env(modelUrl, home) };
  return { command, args: ['--acp'], env, home };
}
