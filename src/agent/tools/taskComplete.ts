import { asString, compact } from '../../core/json';
import { objectSchema, type Tool } from './tool';

/** `task_complete {summary?}`: the model says that the whole task is done, which ends the loop without another model call. */
export const taskComplete: Tool = {
  name: 'task_complete',
  kind: 'other',
  changes: false,
  alone: true,
  description: 'Says that the whole task is done and checked. Call it only then.',
  inputSchema: objectSchema(
    { summary: { type: 'string', description: 'What was done, in a few sentences.' } },
    ['summary'],
  ),
  start: (input) => ({
    title: 'Task complete',
    run: () => {
      const summary = asString(input['summary']);
      return Promise.resolve({ output: summary ?? 'Done.', taskComplete: compact({ summary }) });
    },
  }),
};
