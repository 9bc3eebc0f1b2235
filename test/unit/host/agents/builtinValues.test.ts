import assert from 'node:assert/strict';
import {
  isLoopback,
  keyNameOf,
  parseEndpoint,
  readBuiltInModel,
  withModel,
} from '../../../../src/host/agents/builtinValues';

const VALUES = {
  provider: 'anthropic',
  endpoint: ' https://a.example/v1 ',
  model: 'm',
  contextTokens: 9000.5,
};

describe('the model of the built-in agent in the settings', () => {
  it('is read as it stands there; what makes no sense counts as not set', () => {
    assert.deepEqual(readBuiltInModel(VALUES), {
      provider: 'anthropic',
      endpoint: 'https://a.example/v1',
      model: 'm',
      contextTokens: 9000,
    });
    const nothing = { endpoint: '', model: '' };
    assert.deepEqual(
      readBuiltInModel({ provider: '', endpoint: 1, model: null, contextTokens: -1 }),
      nothing,
    );
    assert.deepEqual(readBuiltInModel({ ...nothing, provider: 'mine', contextTokens: null }), nothing);
  });

  it('has a key for its provider and the origin of its endpoint alone', () => {
    const name = (provider: 'anthropic' | 'openai-compatible', endpoint: string) =>
      keyNameOf({ provider, endpoint });
    const names = [
      name('anthropic', ''),
      name('anthropic', 'https://a.example/v1'),
      name('openai-compatible', 'https://a.example/v1'),
      name('openai-compatible', 'http://a.example/v1'),
      name('openai-compatible', 'https://a.example:8443/v1'),
      name('openai-compatible', 'https://b.example/v1'),
    ];
    assert.equal(new Set(names).size, names.length);
    assert.equal(name('anthropic', 'https://a.example/v2'), name('anthropic', 'https://a.example/v1'));
    assert.equal(name('anthropic', 'a.example'), undefined);
    assert.equal(keyNameOf({ provider: 'offline', endpoint: '' }), undefined);
    assert.equal(keyNameOf({ endpoint: 'https://a.example' }), undefined);
  });

  it('takes http and https addresses without a password', () => {
    assert.equal(parseEndpoint('ftp://a.example'), 'invalid');
    assert.equal(parseEndpoint('a.example/v1'), 'invalid');
    assert.equal(parseEndpoint('https://a.example/v1?key=1'), 'invalid');
    assert.equal(parseEndpoint('https://ada:secret@a.example'), 'password');
    const loopback = (text: string): boolean => isLoopback(new URL(text));
    assert.ok(loopback('http://127.0.0.1:1') && loopback('http://localhost') && loopback('http://[::1]:2'));
    assert.ok(!loopback('http://127.example') && !loopback('http://10.0.0.1'));
  });

  it('becomes the environment of the agent as a whole, without what another provider had there', () => {
    const before = {
      PATH: '/bin',
      PARLEY_AGENT_PROVIDER: 'google',
      PARLEY_AGENT_API_KEY: 'key of google',
      PARLEY_AGENT_CONTEXT_TOKENS: '1',
    };
    const openai = { provider: 'openai-compatible', endpoint: 'http://127.0.0.1:1/v1', model: 'm' } as const;
    assert.deepEqual(withModel(before, openai, undefined), {
      PATH: '/bin',
      PARLEY_AGENT_HOST: 'parley',
      PARLEY_AGENT_PROVIDER: 'openai-compatible',
      PARLEY_AGENT_ENDPOINT: 'http://127.0.0.1:1/v1',
      PARLEY_AGENT_MODEL: 'm',
    });
    const full = withModel({}, { ...openai, contextTokens: 9000 }, 'key');
    assert.equal(full['PARLEY_AGENT_API_KEY'], 'key');
    assert.equal(full['PARLEY_AGENT_CONTEXT_TOKENS'], '9000');
  });

  it('leaves the environment as it is where none is set', () => {
    const env = { PARLEY_AGENT_PROVIDER: 'google', PARLEY_AGENT_API_KEY: 'k' };
    const none = { endpoint: 'http://a.example', model: 'm' };
    assert.deepEqual(withModel(env, none, undefined), { ...env, PARLEY_AGENT_HOST: 'parley' });
  });
});
