import assert from 'node:assert/strict';
import { agentCapabilityRows, clientCapabilityRows } from '../../../../src/core/diagnostics/capabilities';
import { englishDiagnoseStrings } from '../../../../src/core/diagnostics/diagnoseStrings';
import type { AgentReport, StartReport } from '../../../../src/core/diagnostics/report';
import { reportMarkdown } from '../../../../src/core/diagnostics/reportMarkdown';
import { verdictOf } from '../../../../src/core/diagnostics/reportSections';

const start: StartReport = {
  at: 0,
  status: 'running',
  pid: 7,
  times: { spawned: 3, initialized: 12, session: 5 },
  printed: '',
  info: {},
  announced: [],
  capabilities: [],
  authMethods: [],
  habits: [],
};

const report: AgentReport = {
  agent: 'A',
  madeAt: 0,
  launch: {
    command: 'a',
    resolved: '/bin/a',
    shell: false,
    args: [],
    cwd: '/w',
    cwdExists: true,
    variables: [],
    path: ['/bin'],
  },
  sessions: { open: 0, wantSignIn: false },
  terminals: { mode: 'pty' },
  parley: '1',
  editor: 'E',
  platform: 'p',
  ui: 'desktop',
  trusted: true,
};

const markdown = (more: Partial<AgentReport>): string =>
  reportMarkdown({ ...report, ...more }, englishDiagnoseStrings);
const verdict = (more: Partial<AgentReport>): string =>
  verdictOf({ ...report, ...more }, englishDiagnoseStrings).text;

describe('the report of an agent as Markdown', () => {
  it('has facts as lists, capabilities as tables, and what was printed as a block', () => {
    const text = markdown({
      start: {
        ...start,
        protocolVersion: '1',
        printed: 'one\ntwo',
        capabilities: agentCapabilityRows({ loadSession: true }),
      },
    });
    assert.match(text, /^# Diagnostics: A\n\nThe agent runs\. It answered after 12 ms\.\n/);
    assert.match(text, /\n- Command: `a`\n- File: `\/bin\/a`\n/);
    assert.match(text, /\n```\none\ntwo\n```\n/);
    assert.match(
      text,
      /\n\| Capability \| Name in the protocol \| Support \|\n\| --- \| --- \| --- \|\n\| Open earlier sessions with their messages \| `loadSession` \| yes \|\n/,
    );
    assert.match(text, /\n\| Images in prompts \| `promptCapabilities.image` \| no \|\n/);
  });

  it('lets nothing of an agent act as Markdown or HTML, or call a person', () => {
    const text = markdown({
      agent: '<img src=x> @ann [a](b) `c`',
      start: {
        ...start,
        protocolVersion: '1',
        printed: '```\n# no heading\n```',
        info: { name: 'x`y', version: '\n# no\u202E heading' },
        capabilities: agentCapabilityRows({ _meta: { 'a|b`c': {} } }),
        authMethods: [{ name: '**b** @bob', id: 'i', type: 'agent' }],
      },
    });
    assert.match(text, /^# Diagnostics: \\<img src=x\\> &#64;ann \\\[a\\\]\(b\) \\`c\\`\n/);
    assert.match(text, /\n````\n```\n# no heading\n```\n````\n/);
    assert.match(text, /\n- Name: `` x`y ``\n- Version: ` ?# no\\u\{202E\} heading`\n/);
    assert.match(text, /\| `` _meta\.a\\\|b`c `` \| yes \|/);
    assert.match(text, /- `\*\*b\*\* @bob \(i, agent\)`/);
    assert.ok(!/^# no/m.test(text.replace(/````[^]*````/, '')));
  });
});

describe('the verdict on an agent', () => {
  it('is the first thing that is wrong', () => {
    assert.equal(verdict({}), 'The agent was not started in this window yet.');
    assert.equal(verdict({ launchProblem: 'No such agent.' }), 'No such agent.');
    const launch = { ...report.launch, problem: 'Not found.' } as NonNullable<AgentReport['launch']>;
    assert.equal(verdict({ launch }), 'Not found.');
    assert.match(verdict({ launch, start }), /^The agent runs\./);
    assert.equal(verdict({ start: { ...start, status: 'failed', problem: 'It failed.' } }), 'It failed.');
    const sessions = { open: 0, wantSignIn: true };
    assert.equal(verdict({ start, sessions }), 'The agent runs, and wants you to sign in.');
    const ended = (exit: NonNullable<StartReport['exit']>): string =>
      verdict({ start: { ...start, status: 'ended', exit } });
    assert.match(ended({ code: 3, signal: null }), /exit code 3/);
    assert.match(ended({ code: null, signal: 'SIGTERM' }), /ended by SIGTERM/);
  });
});

describe('the capabilities', () => {
  const on = (rows: { name: string; supported: boolean }[]): string[] =>
    rows.filter(({ supported }) => supported).map(({ name }) => name);

  it('IN-9 are on only as true or as an object, and the others are shown too', () => {
    const rows = agentCapabilityRows({
      loadSession: 'yes',
      promptCapabilities: { image: true, audio: null },
      sessionCapabilities: { list: {}, resume: true, fork: {}, close: false },
      _meta: { 'v.x/y': { deep: true }, no: false, word: 'text' },
      newThing: true,
    });
    assert.deepEqual(on(rows), [
      'promptCapabilities.image',
      'sessionCapabilities.list',
      'sessionCapabilities.resume',
      'sessionCapabilities.fork',
      '_meta.v.x/y',
      '_meta.word',
      'newThing',
    ]);
    assert.ok(rows.some(({ name, supported }) => name === 'loadSession' && !supported));
  });

  it('are bounded, and may be anything', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x${at}`, true]));
    assert.equal(on(clientCapabilityRows(many)).length, 30);
    for (const odd of [undefined, null, 'x', [], { __proto__: null }])
      assert.deepEqual(on(agentCapabilityRows(odd)), []);
  });
});
