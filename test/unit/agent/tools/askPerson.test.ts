import assert from 'node:assert/strict';
import { TurnCancelled } from '../../../../src/agent/abort';
import type { ClientRequest } from '../../../../src/agent/access/clientRequest';
import { askPerson } from '../../../../src/agent/tools/askPerson';
import type { ToolContext } from '../../../../src/agent/tools/tool';
import { asObject, type JsonObject } from '../../../../src/core/json';

/** Runs the tool with a client that answers in this way; gives what it was asked, too. */
async function ask(
  input: JsonObject,
  answer: unknown,
  signal = new AbortController().signal,
): Promise<{ output: string; asked: JsonObject }> {
  let asked: JsonObject = {};
  const request: ClientRequest = (method, params) => {
    asked = { method, ...asObject(params) };
    return answer instanceof Promise ? (answer as Promise<unknown>) : Promise.resolve(answer);
  };
  const call = askPerson('s', request).start(input, { cwd: '/w', additionalDirectories: [] });
  const { output } = await call.run({ signal } as ToolContext);
  return { output, asked };
}

describe('the tool that asks the person', () => {
  it('EL-13 shows a form with one field, and gives the answer to the model', async () => {
    const { output, asked } = await ask(
      { question: 'Which one?', choices: ['a', 'b', 'a', 3] },
      { action: 'accept', content: { answer: 'b' } },
    );
    assert.equal(output, 'b');
    assert.equal(asked['method'], 'elicitation/create');
    assert.equal(asked['mode'], 'form');
    assert.equal(asked['message'], 'Which one?');
    assert.deepEqual(asObject(asked['requestedSchema'])['properties'], {
      answer: { type: 'string', title: 'Answer', enum: ['a', 'b'] },
    });
  });

  for (const action of ['decline', 'cancel', 'something else'])
    it(`EL-4 goes on without an answer after "${action}"`, async () => {
      const { output } = await ask({ question: 'Why?' }, { action, content: { answer: 'not this' } });
      assert.match(output, /did not answer/);
    });

  it('fails for an accepted form without an answer, and for an empty question', async () => {
    await assert.rejects(ask({ question: 'Why?' }, { action: 'accept' }), /gave no answer/);
    await assert.rejects(ask({ question: ' ' }, {}), /question is empty/);
  });

  it('CA-2 stops waiting when the turn is cancelled', async () => {
    const controller = new AbortController();
    const run = ask({ question: 'Why?' }, new Promise(() => undefined), controller.signal);
    controller.abort();
    await assert.rejects(run, TurnCancelled);
  });
});
