import type { AgentReport } from '../../../src/core/diagnostics/report';
import { agentCapabilityRows, clientCapabilityRows } from '../../../src/core/diagnostics/capabilities';

const at = new Date('2026-03-04T10:20:30').getTime();

const running: AgentReport = {
  agent: 'Gemini',
  madeAt: at + 5_000,
  launch: {
    command: 'gemini',
    resolved: '~/.nvm/versions/node/v22.1.0/bin/gemini',
    shell: false,
    args: ['--acp', '--model', 'a model'],
    cwd: '~/work/shop',
    cwdExists: true,
    variables: ['GEMINI_API_KEY', 'NO_COLOR'],
    path: ['~/.nvm/versions/node/v22.1.0/bin', '~/.local/bin', '/usr/local/bin', '/usr/bin', '/bin'],
  },
  environment: { source: 'shell', shell: '/bin/zsh', ms: 412 },
  start: {
    at,
    status: 'running',
    pid: 4711,
    times: { spawned: 14, initialized: 1_204, session: 388 },
    printed: 'A warning of the agent: <b>not bold</b> and `code`\nloaded 3 extensions',
    info: { name: 'gemini-cli', title: 'Gemini CLI', version: '0.61.0' },
    protocolVersion: '1',
    announced: clientCapabilityRows({
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      session: { configOptions: { boolean: {} } },
      _meta: { terminal_output: true },
    }),
    capabilities: agentCapabilityRows({
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true },
      sessionCapabilities: { list: {}, fork: {} },
      _meta: { 'vendor.example/extra': { more: true } },
    }),
    authMethods: [
      { name: 'Log in with Google', id: 'oauth-personal', type: 'agent' },
      { name: 'Use a key', id: 'key', type: 'terminal' },
    ],
    servers: ['files', 'issues'],
    habits: [
      {
        name: 'missingFileIsEmpty',
        reason: 'Reads a file that it is about to create, and gives up on any error.',
      },
    ],
  },
  sessions: { open: 2, wantSignIn: false },
  terminals: { mode: 'pty' },
  parley: '0.9.0',
  editor: 'Visual Studio Code 1.106.0',
  platform: 'linux 6.1.0 x64, Node.js 22.20.0',
  remote: 'ssh-remote',
  ui: 'desktop',
  trusted: true,
};

const { resolved: _resolved, ...missing } = running.launch ?? never();

function never(): never {
  throw new Error('The scene has a launch.');
}

/** Reports by the names of their scenes. */
export const diagnoseScenes: Readonly<Record<string, AgentReport>> = {
  running,
  failed: {
    ...running,
    agent: 'Gem\u202Eini <b>*x*</b>',
    launch: {
      ...missing,
      problem:
        'Gemini could not be started: the command "gemini" was not found. Install it, or correct the command in the settings.',
      cwd: `~/${'a-long-name-without-a-break'.repeat(6)}`,
      cwdExists: false,
      args: [],
      variables: [],
    },
    environment: { source: 'editor', problem: '/bin/zsh did not answer within 10 seconds.' },
    start: {
      at,
      status: 'failed',
      times: {},
      exit: { code: 127, signal: null },
      problem: 'Gemini ended with exit code 127.',
      printed: `sh: gemini: command not found\n${'x'.repeat(400)}`,
      info: {},
      announced: clientCapabilityRows({ terminal: false }),
      capabilities: [],
      authMethods: [],
      habits: [],
    },
    sessions: { open: 0, wantSignIn: false },
    terminals: { mode: 'pipes', problem: 'Error: Cannot find module pty.node' },
    trusted: false,
    ui: 'web',
  },
};

const { start: _start, ...neverStarted } = running;
export const notStarted: AgentReport = neverStarted;
