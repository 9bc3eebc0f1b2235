import { ClientMethod } from '../../core/acp';
import { asList, asObject, asString } from '../../core/json';
import { untilAborted } from '../abort';
import type { ClientRequest } from '../access/clientRequest';
import { objectSchema, requiredString, ToolFailure, type Tool } from './tool';

/** Most answers that a question offers. */
const MAX_CHOICES = 10;

/**
 * `ask_person {question, choices?}`: asks the person by a form, for clients that show forms (EL-13). It is never used for secrets
 * (EL-15): the model is told so, and what comes back stands in the conversation.
 */
export function askPerson(sessionId: string, request: ClientRequest): Tool {
  return {
    name: 'ask_person',
    kind: 'other',
    changes: false,
    alone: true,
    needsPerson: true,
    description:
      'Asks the person one question that you can neither answer by reading nor decide sensibly. Never ask for passwords, keys or other secrets.',
    inputSchema: objectSchema(
      {
        question: { type: 'string' },
        choices: { type: 'array', items: { type: 'string' }, maxItems: MAX_CHOICES },
      },
      ['choices'],
    ),
    start: (input) => {
      const question = requiredString(input, 'question').trim();
      if (question === '') throw new ToolFailure('The question is empty.');
      const choices = asList(input['choices']).flatMap((choice) => asString(choice) ?? []);
      return {
        title: 'Ask you a question',
        run: async ({ signal }) => {
          const answer = await untilAborted(
            request(ClientMethod.createElicitation, formFor(sessionId, question, choices), signal),
            signal,
          );
          return { output: readAnswer(answer) };
        },
      };
    },
  };
}

function formFor(sessionId: string, message: string, choices: readonly string[]): object {
  const unique = [...new Set(choices)].slice(0, MAX_CHOICES);
  const answer = { type: 'string', title: 'Answer', ...(unique.length > 1 ? { enum: unique } : {}) };
  const requestedSchema = { type: 'object', properties: { answer }, required: ['answer'] };
  return { mode: 'form', sessionId, message, requestedSchema };
}

/** A person who does not want to answer is no failure: the model goes on without. */
function readAnswer(answer: unknown): string {
  const { action, content } = asObject(answer);
  if (action !== 'accept') return 'The person did not answer. Decide yourself, or say what you need.';
  const text = asString(asObject(content)['answer']);
  if (text === undefined) throw new ToolFailure('The client gave no answer.');
  return text;
}
