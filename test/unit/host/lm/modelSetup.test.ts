import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { BuiltInModel } from '../../../../src/host/agents/builtinValues';
import type {
  ModelSetup as ModelSetupClass,
  SetupChoice,
  SetupDialog,
  SetupOptions,
} from '../../../../src/host/lm/modelSetup';
import { withEditor } from '../../../support/withEditor';

const editor = { l10n: { t: (text: string) => text } };
const { ModelSetup } = withEditor(
  editor,
  () =>
    createRequire(__filename)('../../../../src/host/lm/modelSetup') as { ModelSetup: typeof ModelSetupClass },
);

interface Answers {
  choice?: SetupChoice;
  endpoint?: string;
  key?: string;
  picked?: { name: string } | 'other';
  model?: string;
}

/** A person who answers, and what came of it. */
function person(answers: Answers, options: Partial<SetupOptions> = {}) {
  const asked: string[] = [];
  const written: { model: BuiltInModel; key: string | undefined }[] = [];
  const listed: (string | undefined)[] = [];
  const answer = <T>(what: string, value: T): Promise<T> => {
    asked.push(what);
    return Promise.resolve(value);
  };
  const dialog: SetupDialog = {
    choose: () => answer('choose', answers.choice),
    askEndpoint: (_value, _own, check) => {
      const remark = check(answers.endpoint ?? '');
      return answer(remark ? `endpoint: ${remark.text}` : 'endpoint', answers.endpoint);
    },
    askKey: (where, stored) => answer(`key for ${where}${stored ? ', stored' : ''}`, answers.key),
    pickModel: (models) => answer(`pick ${models.join()}`, answers.picked),
    askModel: (value, check) => {
      assert.ok(check(' '));
      return answer(`name ${value}`, answers.model);
    },
  };
  const setup = new ModelSetup({
    ollama: { endpoint: 'http://127.0.0.1:11434/v1', models: () => Promise.resolve(['llama', 'qwen']) },
    listModels: (_model, key) => {
      listed.push(key);
      return Promise.resolve(['m1', 'm2']);
    },
    current: () => ({ endpoint: '', model: '' }),
    key: () => Promise.resolve(undefined),
    write: (model, key) => Promise.resolve(void written.push({ model, key })),
    useEditorModel: () => Promise.resolve(void asked.push('editor')),
    done: () => Promise.resolve(),
    dialog,
    ...options,
  });
  return { setup, asked, written, listed };
}

const OPENAI = { provider: 'openai-compatible' } as const;

describe('setting up a model', () => {
  it('asks for the address, the key and then the model, and writes them', async () => {
    const { setup, asked, written, listed } = person({
      choice: OPENAI,
      endpoint: 'https://a.example/',
      key: ' secret ',
      picked: { name: 'm2' },
    });
    await setup.ask();
    assert.deepEqual(asked, ['choose', 'endpoint', 'key for https://a.example/v1', 'pick m1,m2']);
    assert.deepEqual(listed, ['secret']);
    assert.deepEqual(written, [
      { model: { ...OPENAI, endpoint: 'https://a.example/v1', model: 'm2' }, key: 'secret' },
    ]);
  });

  it('keeps the stored key where the field is left empty, and takes a name that is not in the list', async () => {
    const { setup, asked, written, listed } = person(
      { choice: { provider: 'anthropic' }, endpoint: '', key: '', picked: 'other', model: ' mine ' },
      {
        key: () => Promise.resolve('stored'),
        current: () => ({ provider: 'anthropic', endpoint: '', model: 'before' }),
      },
    );
    await setup.ask();
    assert.deepEqual(asked, ['choose', 'endpoint', 'key for anthropic, stored', 'pick m1,m2', 'name before']);
    assert.deepEqual(listed, ['stored']);
    assert.deepEqual(written, [
      { model: { provider: 'anthropic', endpoint: '', model: 'mine' }, key: undefined },
    ]);
  });

  it('asks for the name where the server lists no models', async () => {
    const { setup, asked, written } = person(
      { choice: OPENAI, endpoint: 'http://127.0.0.1:8080/api', key: '', model: 'm' },
      { listModels: () => Promise.resolve([]) },
    );
    await setup.ask();
    assert.deepEqual(asked, ['choose', 'endpoint', 'key for http://127.0.0.1:8080/api', 'name ']);
    assert.equal(written[0]?.model.model, 'm');
  });

  for (const [endpoint, remark] of [
    ['', /begins with http/],
    ['a.example', /begins with http/],
    ['https://ada:secret@a.example', /password/],
    ['http://a.example', /not encrypted/],
  ] as const)
    it(`says what is wrong with the address "${endpoint}"`, async () => {
      const { setup, asked } = person({ choice: OPENAI, endpoint });
      await setup.ask();
      assert.match(asked[1] ?? '', remark);
    });

  for (const [step, answers] of [
    ['way', {}],
    ['address', { choice: OPENAI }],
    ['key', { choice: OPENAI, endpoint: 'http://127.0.0.1:1' }],
    ['model', { choice: OPENAI, endpoint: 'http://127.0.0.1:1', key: 'k' }],
  ] as const)
    it(`writes nothing where the person goes away from the question for the ${step}`, async () => {
      const { setup, written } = person(answers);
      await setup.ask();
      assert.deepEqual(written, []);
    });

  it('has a way to Ollama, to the models of VS Code, and back to fixed rules', async () => {
    const ollama = person({ choice: 'ollama', picked: { name: 'qwen' } });
    await ollama.setup.ask();
    const endpoint = 'http://127.0.0.1:11434/v1';
    assert.deepEqual(ollama.written, [{ model: { ...OPENAI, endpoint, model: 'qwen' }, key: undefined }]);
    const inEditor = person({ choice: 'editor' });
    await inEditor.setup.ask();
    assert.deepEqual(inEditor.asked, ['choose', 'editor']);
    assert.deepEqual(inEditor.written, []);
    const offline = person({ choice: { provider: 'offline' } });
    await offline.setup.ask();
    assert.deepEqual(offline.written[0]?.model, { provider: 'offline', endpoint: '', model: '' });
  });

  it('uses the first model of Ollama when it is offered, and says so where it is gone', async () => {
    const { setup, written, asked } = person({});
    await setup.useOllama();
    assert.equal(written[0]?.model.model, 'llama');
    assert.deepEqual(asked, []);
    const gone = person({}, { ollama: { endpoint: '', models: () => Promise.resolve([]) } });
    await assert.rejects(gone.setup.useOllama(), /does not answer any more/);
  });
});
