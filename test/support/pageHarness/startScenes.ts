import type { FoundAgent } from '../../../src/core/agents/knownAgents';
import type { StartView } from '../../../src/core/chat/start';

const found: FoundAgent[] = [
  {
    id: 'copilot',
    title: 'GitHub Copilot',
    path: '/home/ada/.local/bin/copilot',
    row: { command: 'copilot', args: ['--acp'] },
    configured: 'Copilot',
    name: 'GitHub Copilot',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    path: '/usr/local/bin/gemini',
    row: { command: 'gemini', args: ['--acp'] },
    configured: null,
    name: 'Gemini CLI 2',
  },
  {
    id: 'droid',
    title: 'Droid',
    path: '/home/ada/a/folder/with/a/very/long/name/indeed/bin/droid',
    row: {
      command: '/home/ada/a/folder/with/a/very/long/name/indeed/bin/droid',
      args: ['exec', '--output-format', 'acp'],
    },
    configured: null,
    name: 'Droid',
  },
];

const STARTS: Readonly<Record<string, StartView>> = {
  emptyLooking: { found: null, models: null, folder: true, trusted: true },
  emptyNone: { found: [], models: null, folder: false, trusted: true },
  emptyUntrusted: { found: [], models: null, folder: true, trusted: false },
  emptyModels: { found, models: { ollama: 'llama3.2:3b', editor: 3 }, folder: true, trusted: true },
  emptyModelsLong: {
    found: [],
    models: { ollama: 'hf.co/somebody/a-model-with-a-very-long-name-indeed-GGUF:Q4_K_M', editor: 0 },
    folder: true,
    trusted: true,
  },
};

/** Scenes in which nothing happened, and which differ in what the start tells. */
export const startScenes = Object.keys(STARTS);

/** What the start of a scene tells. */
export const startOf = (scene: string): StartView =>
  STARTS[scene] ?? { found, models: null, folder: true, trusted: true };
