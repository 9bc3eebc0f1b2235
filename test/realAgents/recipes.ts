import { delimiter, dirname } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import {
  codexFaults,
  hidesErrors,
  losesNextPrompt,
  neverAnswers,
  showsNoOutput,
  type OwnFault,
} from './ownFaults';
import type { ScenarioName } from './scenarioNames';

/** Where an agent finds what it needs. */
export interface Places {
  /** Address of the scripted model. */
  model: string;
  /** A home folder of its own. */
  home: string;
  /** The folder of its packages' programs. */
  programs: string;
  /** Folder of the Node.js that it runs on. */
  node: string;
}

/** How a real agent is installed, set up for the scripted model and started. */
export interface Recipe {
  /** What people call it. */
  title: string;
  /** npm packages with their versions; the first one is the agent. */
  packages: readonly [string, ...string[]];
  /** Its program, below `node_modules`; a `.js` file is run with Node.js. */
  program: string;
  args?: readonly string[];
  /** It needs Node.js 22 or newer. */
  newNode?: boolean;
  env: (at: Places) => Record<string, string>;
  /** Files of its home folder; an object becomes JSON. */
  files?: (at: Places) => Record<string, object | string>;
  /** Variables of `env` that are left out to see it without credentials, and the files it then has. */
  secrets?: readonly string[];
  filesWithoutSecrets?: Record<string, object | string>;
  /** The mode in which it asks a person, where it begins in another. */
  mode?: string;
  /** Scenarios that say nothing about it, with the reason. */
  without?: Partial<Record<ScenarioName, string>>;
  /** Set up to ask before each command that it does not trust; else a model has to say that it wants out of the sandbox. */
  asksUnlessTrusted?: boolean;
  /** It has a conversation of its own and asks no model; what it says then. */
  ownWords?: RegExp;
  /** It can load a session only in a later minute of the clock than it was made. */
  loadsNextMinute?: boolean;
  faults?: readonly OwnFault[];
  /** How a person gets it. */
  get: string;
}

const mockModels = {
  'mock-model': { name: 'Mock Model', limit: { context: 128_000, output: 8192 } },
  'mock-model-large': { name: 'Mock Model Large', limit: { context: 128_000, output: 8192 } },
};

/** OpenCode and Kilo download ripgrep where they find none. */
const withRipgrep = (): Record<string, string> => ({
  PATH: [dirname(rgPath), process.env['PATH'] ?? ''].join(delimiter),
});

/** OpenCode, and Kilo that was made from it. */
const openCode = ({ model }: Places): object => ({
  autoupdate: false,
  share: 'disabled',
  model: 'mock/mock-model',
  small_model: 'mock/mock-model',
  permission: { edit: 'ask', bash: 'ask' },
  provider: {
    mock: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Mock',
      options: { baseURL: `${model}/v1`, apiKey: 'mock-key' },
      models: mockModels,
    },
  },
});

const codexConfig = (head: string, { model }: Places): string => `${head}
model_provider = "mock"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.mock]
name = "Mock"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 1
stream_max_retries = 1
`;

const codex = (
  head: string,
): Pick<Recipe, 'env' | 'files' | 'secrets' | 'filesWithoutSecrets' | 'faults'> => ({
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, MOCK_KEY: 'mock-key' }),
  files: (at) => ({ '.codex/config.toml': codexConfig(head, at) }),
  secrets: ['MOCK_KEY'],
  filesWithoutSecrets: { '.codex/config.toml': 'check_for_update_on_startup = false\n' },
  faults: codexFaults,
});

const claude: Pick<Recipe, 'env' | 'secrets'> = {
  env: ({ model, home }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'sk-ant-mock',
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // In a container that runs as root: the adapter would ask for what its program then refuses.
    IS_SANDBOX: '',
  }),
  secrets: ['ANTHROPIC_API_KEY'],
};

const ownScript = 'It plays a script of its own and has no such thing in it.';

/** The real agents that Parley is tried with, by the names that `npm run agents` takes. */
export const recipes = {
  copilot: {
    title: 'GitHub Copilot CLI',
    packages: ['@github/copilot@1.0.102'],
    program: '.bin/copilot',
    args: ['--acp'],
    env: ({ model, home }) => ({
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'mock-key',
      COPILOT_MODEL: 'mock-model',
      COPILOT_OFFLINE: 'true',
      COPILOT_HOME: `${home}/.copilot`,
      COPILOT_AUTO_UPDATE: 'false',
    }),
    secrets: [
      'COPILOT_PROVIDER_BASE_URL',
      'COPILOT_PROVIDER_TYPE',
      'COPILOT_PROVIDER_API_KEY',
      'COPILOT_MODEL',
      'COPILOT_OFFLINE',
    ],
    get: '`npm i -g @github/copilot`, then `copilot --acp`',
  },
  gemini: {
    title: 'Gemini CLI',
    packages: ['@google/gemini-cli@0.61.0'],
    program: '.bin/gemini',
    args: ['--acp'],
    env: ({ model }) => ({
      GEMINI_API_KEY: 'mock-key',
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    files: () => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true, sessionRetention: { enabled: false } },
        telemetry: { enabled: false },
      },
    }),
    secrets: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
    filesWithoutSecrets: {},
    loadsNextMinute: true,
    faults: showsNoOutput,
    get: '`npm i -g @google/gemini-cli`, then `gemini --acp`',
  },
  opencode: {
    title: 'OpenCode',
    packages: ['opencode-ai@1.18.33'],
    program: '.bin/opencode',
    args: ['acp'],
    env: () => ({
      ...withRipgrep(),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    files: (at) => ({ '.config/opencode/opencode.json': openCode(at) }),
    filesWithoutSecrets: {},
    faults: neverAnswers,
    get: '`npm i -g opencode-ai`, then `opencode acp`',
  },
  'codex-acp': {
    title: 'Codex',
    packages: ['@agentclientprotocol/codex-acp@2.6.0'],
    program: '.bin/codex-acp',
    ...codex('model = "gpt-5.5"\napproval_policy = "on-request"\nsandbox_mode = "read-only"'),
    mode: 'read-only',
    get: '`npm i -g @agentclientprotocol/codex-acp`, then `codex-acp`',
  },
  'claude-agent-acp': {
    title: 'Claude Code',
    packages: ['@agentclientprotocol/claude-agent-acp@0.101.0'],
    program: '@agentclientprotocol/claude-agent-acp/dist/index.js',
    newNode: true,
    ...claude,
    mode: 'default',
    get: '`npm i -g @agentclientprotocol/claude-agent-acp` (Node.js 22 or newer), then `claude-agent-acp`',
  },
  qwen: {
    title: 'Qwen Code',
    packages: ['@qwen-code/qwen-code@0.24.4'],
    program: '@qwen-code/qwen-code/cli.js',
    args: ['--acp'],
    newNode: true,
    env: ({ model }) => ({
      OPENAI_API_KEY: 'mock-key',
      OPENAI_BASE_URL: `${model}/v1`,
      OPENAI_MODEL: 'mock-model',
    }),
    files: () => ({
      '.qwen/settings.json': {
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        telemetry: { enabled: false },
      },
    }),
    secrets: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
    filesWithoutSecrets: {},
    mode: 'default',
    get: '`npm i -g @qwen-code/qwen-code` (Node.js 22 or newer), then `qwen --acp`',
  },
  'codex-acp-zed': {
    title: 'Codex, by the older adapter',
    packages: ['@zed-industries/codex-acp@0.16.0'],
    program: '.bin/codex-acp',
    // Its edits would need a sandbox, which is not to be had on every machine.
    ...codex('model = "gpt-5.4"\napproval_policy = "untrusted"\nsandbox_mode = "danger-full-access"'),
    asksUnlessTrusted: true,
    get: '`npm i -g @zed-industries/codex-acp`, then `codex-acp`',
  },
  'claude-agent-acp-zed': {
    title: 'Claude Code, by the older adapter',
    packages: ['@zed-industries/claude-agent-acp@0.23.1'],
    program: '.bin/claude-agent-acp',
    ...claude,
    faults: losesNextPrompt,
    get: '`npm i -g @zed-industries/claude-agent-acp`, then `claude-agent-acp`',
  },
  pi: {
    title: 'Pi',
    packages: ['pi-acp@0.0.34', '@earendil-works/pi-coding-agent@1.6.0'],
    program: 'pi-acp/dist/index.js',
    newNode: true,
    env: ({ programs, node }) => ({
      PATH: [programs, node, process.env['PATH'] ?? ''].join(delimiter),
      PI_OFFLINE: '1',
    }),
    files: ({ model }) => ({
      '.pi/agent/models.json': {
        providers: {
          mock: {
            baseUrl: `${model}/v1`,
            api: 'openai-completions',
            apiKey: 'mock-key',
            models: Object.entries(mockModels).map(([id, { name }]) => ({
              id,
              name,
              contextWindow: 128_000,
              maxTokens: 8192,
            })),
          },
        },
      },
      '.pi/agent/settings.json': { defaultProvider: 'mock', defaultModel: 'mock-model' },
    }),
    filesWithoutSecrets: {},
    without: {
      reject: 'It asks for no permissions.',
      'cancel with permission open': 'It asks for no permissions.',
    },
    faults: hidesErrors,
    get: '`npm i -g pi-acp @earendil-works/pi-coding-agent` (Node.js 22 or newer), then `pi-acp`',
  },
  cline: {
    title: 'Cline CLI',
    packages: ['cline@3.0.65'],
    program: '.bin/cline',
    args: ['--acp'],
    env: () => ({ CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1' }),
    files: ({ model }) => ({
      '.cline/data/settings/providers.json': {
        version: 1,
        lastUsedProvider: 'cline',
        modes: {},
        providers: {
          cline: {
            settings: {
              provider: 'cline',
              apiKey: 'mock-key',
              model: 'mock-model',
              baseUrl: `${model}/v1`,
              auth: { accessToken: 'mock-key', accountId: 'mock' },
            },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      },
    }),
    filesWithoutSecrets: {},
    faults: hidesErrors,
    get: '`npm i -g cline`, then `cline --acp`',
  },
  kilo: {
    title: 'Kilo Code CLI',
    packages: ['@kilocode/cli-linux-x64@7.7.9'],
    program: '@kilocode/cli-linux-x64/bin/kilo',
    args: ['acp'],
    env: () => ({
      ...withRipgrep(),
      KILO_DISABLE_AUTOUPDATE: '1',
      KILO_DISABLE_MODELS_FETCH: '1',
      KILO_TELEMETRY_LEVEL: 'off',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    files: (at) => ({ '.config/kilo/opencode.json': openCode(at) }),
    filesWithoutSecrets: {},
    faults: neverAnswers,
    get: '`npm i -g @kilocode/cli`, then `kilo acp`',
  },
  'sdk-example': {
    title: "The SDK's example",
    packages: ['@agentclientprotocol/sdk@0.28.1'],
    program: '@agentclientprotocol/sdk/dist/examples/agent.js',
    env: () => ({}),
    ownWords: /help you with that/,
    without: Object.fromEntries(
      ['read', 'edit', 'write', 'shell', 'search', 'parallel', 'cancel during shell', 'flood', 'error']
        .concat(['unauthenticated'])
        .map((name) => [name, ownScript]),
    ),
    get: '`npm i @agentclientprotocol/sdk@0.28.1`, then `node …/dist/examples/agent.js`',
  },
} satisfies Record<string, Recipe>;

/** A name that `npm run agents` takes. */
export type AgentName = keyof typeof recipes;
