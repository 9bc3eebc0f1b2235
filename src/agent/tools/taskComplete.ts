import { asString, compact } from '../../core/json';
import type { Tool } from './tool';

/** `task_complete {summary?}`: the model says that the whole task is done, which ends the loop without another model call. */
export const taskComplete: Tool = {
  name: 'task_complete',
  kind: 'other',
  changes: false,
  start: (input) => ({
    title: 'Task complete',
    run: () => {
      const summary = asString(input['summary']);
      return Promise.resolve({ output: summary ?? 'Done.', taskComplete: compact({ summary }) });
    },
  }),
};
