import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { BUILT_IN_AGENT } from '../../../../src/core/agents/definition';
import { Emitter } from '../../../../src/core/emitter';
import { DisposableStore } from '../../../../src/core/lifecycle';
import type { BuiltinModelSettings as SettingsClass } from '../../../../src/host/agents/builtinModel';
import { withEditor } from '../../../support/withEditor';

const ENDPOINT = 'https://a.example/v1';
const KEY_NAME = 'parley.modelKey:openai-compatible:https://a.example';

/** The settings and the secrets of an editor. */
function makeEditor() {
  const settings: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  const settingChanged = new Emitter<{ affectsConfiguration: (name: string) => boolean }>();
  const secretChanged = new Emitter<{ key: string }>();
  const state = {
    /** Runs while a secret is read. */
    onGet: (): void => undefined,
  };
  return {
    state,
    set: (name: string, value: unknown) => {
      settings[`parley.builtin.${name}`] = value;
      settingChanged.fire({ affectsConfiguration: (asked) => asked === `parley.builtin.${name}` });
    },
    store: (key: string, value: string) => {
      secrets[key] = value;
      secretChanged.fire({ key });
    },
    storage: {
      get: (key: string) => {
        state.onGet();
        return Promise.resolve(secrets[key]);
      },
      onDidChange: secretChanged.event,
    } as never,
    vscode: {
      workspace: {
        getConfiguration: () => ({ get: (name: string) => settings[name] }),
        onDidChangeConfiguration: settingChanged.event,
      },
    },
  };
}

describe('the start of the built-in agent with its model', () => {
  const scope = new DisposableStore();
  const editor = makeEditor();
  const { BuiltinModelSettings } = withEditor(
    editor.vscode,
    () =>
      createRequire(__filename)('../../../../src/host/agents/builtinModel') as {
        BuiltinModelSettings: typeof SettingsClass;
      },
  );
  const settings = new BuiltinModelSettings(editor.storage);
  const listed = new Emitter<void>();
  let status = 'idle';
  let queue: { items: object[]; paused: boolean } = { items: [], paused: false };
  /** Somebody wants to know whether the agent is at work. */
  let asked: () => void = () => undefined;
  const restarted: string[] = [];
  let onRestart: () => void = () => undefined;
  const restart = (): Promise<void> => new Promise((resolve) => (onRestart = resolve));
  settings.watch(
    scope,
    {
      onDidChangeList: listed.event,
      list: () => ({ rows: [{ key: 'k', agentId: BUILT_IN_AGENT }] }),
      find: () => {
        asked();
        return { store: { state: { turn: { status }, queue } } };
      },
      restartAgents: async (agentId: string) => {
        restarted.push(agentId);
        await settings.environment({});
        onRestart();
      },
    } as never,
    () => undefined,
    0,
  );
  after(() => scope.dispose());

  it('gives the key that belongs to the endpoint, and no other', async () => {
    editor.store(KEY_NAME, 'secret');
    editor.set('provider', 'openai-compatible');
    editor.set('endpoint', 'https://b.example/v1');
    editor.set('model', 'm');
    assert.equal((await settings.environment({}))['PARLEY_AGENT_API_KEY'], undefined);
    editor.set('endpoint', ENDPOINT);
    assert.equal((await settings.environment({}))['PARLEY_AGENT_API_KEY'], 'secret');
  });

  it('comes again once after several changes, also of the key', async () => {
    const done = restart();
    editor.set('model', 'n');
    editor.store(KEY_NAME, 'another');
    await done;
    assert.deepEqual(restarted, [BUILT_IN_AGENT]);
    const again = restart();
    editor.store(KEY_NAME, 'a third');
    await again;
    assert.equal(restarted.length, 2);
  });

  it('waits for the end of a turn', async () => {
    restarted.length = 0;
    status = 'running';
    const done = restart();
    const looked = new Promise<void>((resolve) => (asked = resolve));
    editor.set('model', 'o');
    await looked;
    listed.fire();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(restarted, []);
    status = 'idle';
    listed.fire();
    await done;
    assert.deepEqual(restarted, [BUILT_IN_AGENT]);
  });

  it('leaves alone a turn that begins while the key is read', async () => {
    restarted.length = 0;
    const began = new Promise<void>((resolve) => {
      editor.state.onGet = () => {
        status = 'running';
        resolve();
      };
    });
    editor.set('model', 'p');
    await began;
    editor.state.onGet = () => undefined;
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(restarted, []);
    const done = restart();
    status = 'idle';
    listed.fire();
    await done;
    assert.deepEqual(restarted, [BUILT_IN_AGENT]);
  });

  it('lets what waits in the queue go out first when a turn ends, unless that waits for the person', async () => {
    restarted.length = 0;
    status = 'running';
    queue = { items: [{}], paused: false };
    const looked = new Promise<void>((resolve) => (asked = resolve));
    editor.set('model', 'q');
    await looked;
    status = 'idle';
    listed.fire();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(restarted, []);
    const done = restart();
    queue = { items: [{}], paused: true };
    listed.fire();
    await done;
    assert.deepEqual(restarted, [BUILT_IN_AGENT]);
  });
});
