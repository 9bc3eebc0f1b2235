import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readConfiguration,
  settingsOf,
  takeVariables,
  type Configuration,
} from '../../../../src/agent/model/configuration';
import { ConfiguredModels } from '../../../../src/agent/model/configured';
import type { Model } from '../../../../src/agent/model/model';

const KEY = 'sk-secret-123456';
const offline: Model = { next: () => assert.fail('not called') };

describe('configuration of models', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'parley-configuration-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const read = (env: NodeJS.ProcessEnv): Configuration => readConfiguration(takeVariables(env), home);
  const problemOf = (env: NodeJS.ProcessEnv): string => {
    const configuration = read(env);
    assert.ok(configuration.state === 'broken');
    assert.ok(!configuration.problem.includes(KEY));
    return configuration.problem;
  };
  const write = (settings: object, mode = 0o600): void => {
    writeFileSync(join(home, 'model.json'), JSON.stringify(settings));
    writeFileSync(join(home, 'key'), `${KEY}\n`, { mode });
    chmodSync(join(home, 'key'), mode);
  };

  it('is nothing where nothing is set', () => {
    assert.deepEqual(read({}), { state: 'none' });
    assert.deepEqual(read({ PARLEY_AGENT_PROVIDER: 'offline' }), { state: 'none' });
  });

  it('takes the key out of the environment', () => {
    const env = { PARLEY_AGENT_API_KEY: KEY, OTHER: 'x' };
    assert.equal(takeVariables(env).key, KEY);
    assert.deepEqual(env, { OTHER: 'x' });
  });

  it('reads the environment, with several models', () => {
    const configuration = read({
      PARLEY_AGENT_PROVIDER: 'openai-compatible',
      PARLEY_AGENT_ENDPOINT: 'http://127.0.0.1:1234/v1/',
      PARLEY_AGENT_MODEL: 'one, two,',
      PARLEY_AGENT_API_KEY: KEY,
      PARLEY_AGENT_CONTEXT_TOKENS: '4096',
      PARLEY_AGENT_IDLE_SECONDS: '7',
    });
    const settings = {
      provider: 'openai-compatible',
      endpoint: 'http://127.0.0.1:1234/v1',
      key: KEY,
      contextTokens: 4096,
      idleMs: 7000,
    };
    assert.deepEqual(configuration, {
      state: 'ready',
      models: [
        { ...settings, model: 'one' },
        { ...settings, model: 'two' },
      ],
    });
  });

  const endpoints = [
    ['openai-compatible', '', 'http://127.0.0.1:11434/v1'],
    ['anthropic', '', 'https://api.anthropic.com/v1'],
    ['google', '', 'https://generativelanguage.googleapis.com/v1beta'],
    ['openai-compatible', 'http://host:1', 'http://host:1/v1'],
    ['google', 'https://host/', 'https://host/v1beta'],
    ['anthropic', 'https://host/a/b//', 'https://host/a/b'],
  ] as const;
  for (const [provider, endpoint, expected] of endpoints) {
    it(`has the endpoint ${expected} for ${provider} and "${endpoint}"`, () => {
      assert.equal(settingsOf({ provider, endpoint, model: 'x', key: KEY })[0]?.endpoint, expected);
    });
  }

  it('says what makes no sense', () => {
    const good = {
      PARLEY_AGENT_PROVIDER: 'openai-compatible',
      PARLEY_AGENT_MODEL: 'x',
      PARLEY_AGENT_API_KEY: KEY,
    };
    assert.equal(read({ ...good }).state, 'ready');
    assert.match(problemOf({ ...good, PARLEY_AGENT_PROVIDER: 'oops' }), /"oops" is no provider.*anthropic/);
    assert.match(problemOf({ ...good, PARLEY_AGENT_MODEL: ' , ' }), /No model.*is named/);
    assert.match(problemOf({ ...good, PARLEY_AGENT_ENDPOINT: 'localhost:1' }), /is no URL/);
    assert.match(problemOf({ ...good, PARLEY_AGENT_ENDPOINT: 'file:///x' }), /is no URL/);
    assert.match(problemOf({ ...good, PARLEY_AGENT_ENDPOINT: `http://me:${KEY}@host` }), /no user name/);
    assert.match(problemOf({ ...good, PARLEY_AGENT_ENDPOINT: `http://host?key=${KEY}` }), /query/);
    assert.match(
      problemOf({ ...good, PARLEY_AGENT_API_KEY: `${KEY}\n${KEY}` }),
      /characters that no key has/,
    );
    assert.match(problemOf({ ...good, PARLEY_AGENT_CONTEXT_TOKENS: 'many' }), /context tokens/);
    assert.match(problemOf({ ...good, PARLEY_AGENT_IDLE_SECONDS: '0' }), /idle seconds/);
  });

  it('AU-4 misses a key only where the provider itself is called', () => {
    const env = { PARLEY_AGENT_PROVIDER: 'anthropic', PARLEY_AGENT_MODEL: 'x' };
    const missing = read({ ...env });
    assert.ok(missing.state === 'broken' && missing.isKeyMissing);
    assert.equal(read({ ...env, PARLEY_AGENT_ENDPOINT: 'http://127.0.0.1:1' }).state, 'ready');
  });

  it('reads the files where the environment names no provider', () => {
    write({ provider: 'google', model: 'x' });
    const configuration = read({});
    assert.ok(configuration.state === 'ready');
    assert.equal(configuration.models[0]?.key, KEY);
    assert.deepEqual(read({ PARLEY_AGENT_PROVIDER: 'offline' }), { state: 'none' });
  });

  it('never gives the key of the files to a provider of the environment', () => {
    write({ provider: 'google', model: 'x' });
    const env = { PARLEY_AGENT_PROVIDER: 'openai-compatible', PARLEY_AGENT_MODEL: 'y' };
    const configuration = read(env);
    assert.ok(configuration.state === 'ready');
    assert.equal(configuration.models[0]?.key, undefined);
  });

  it('refuses a key that others can read (not on Windows, which has no file modes)', function () {
    if (process.platform === 'win32') this.skip();
    write({ provider: 'google', model: 'x' }, 0o640);
    assert.match(problemOf({}), /others can read it; run: chmod 600/);
  });

  it('says that a file is no JSON', () => {
    writeFileSync(join(home, 'model.json'), '{');
    assert.match(problemOf({}), /model\.json is no JSON/);
  });
});

describe('configured models', () => {
  it('has the configured ones first, and the planner last', () => {
    const models = settingsOf({ provider: 'anthropic', endpoint: '', model: 'a,b', key: KEY });
    const all = new ConfiguredModels(offline, () => ({ state: 'ready', models }));
    assert.deepEqual(
      all.choices().map(({ id }) => id),
      ['anthropic/a', 'anthropic/b', 'offline'],
    );
    assert.equal(all.preferred, 'anthropic/a');
    assert.equal(all.get('anthropic/b')?.contextTokens, 200_000);
    assert.equal(all.problem, undefined);
    assert.ok(!JSON.stringify(all.choices()).includes(KEY));
  });

  it('prefers the planner where nothing is configured', () => {
    const all = new ConfiguredModels(offline, () => ({ state: 'none' }));
    assert.equal(all.preferred, 'offline');
    assert.match(all.problem ?? '', /No model is set up/);
  });

  it('says what is wrong in the place of an answer', async () => {
    const warned: string[] = [];
    const broken: Configuration = { state: 'broken', problem: 'Set it up.', isKeyMissing: true };
    const all = new ConfiguredModels(
      offline,
      () => broken,
      (problem) => warned.push(problem),
    );
    all.refresh();
    assert.deepEqual(warned, ['Set it up.']);
    assert.equal(all.problem, 'Set it up.');
    assert.equal(all.get('offline'), offline);
    const input = { history: [], mode: 'interactive', instructions: '', tools: [] } as const;
    const answer = all.get(all.preferred)?.next(input, new AbortController().signal);
    await assert.rejects(async () => {
      for await (const _ of answer ?? []) assert.fail('an answer');
    }, /Set it up\./);
  });

  it('tells when another configuration is there', () => {
    let now: Configuration = { state: 'none' };
    let changes = 0;
    const all = new ConfiguredModels(offline, () => now);
    const subscription = all.onDidChange(() => changes++);
    all.refresh();
    assert.equal(changes, 0);
    const models = settingsOf({ provider: 'anthropic', endpoint: '', model: 'a', key: KEY });
    now = { state: 'ready', models };
    all.refresh();
    assert.equal(changes, 1);
    assert.equal(all.preferred, 'anthropic/a');
    subscription.dispose();
    now = { state: 'none' };
    all.refresh();
    assert.equal(changes, 1);
  });
});
