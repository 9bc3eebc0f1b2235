import type { PlanEntry } from '../../core/acp';
import { asList, asObject, asString, type JsonObject } from '../../core/json';
import { objectSchema, type Tool } from './tool';

const STATUSES = ['pending', 'in_progress', 'completed'] as const;
const PRIORITIES = ['high', 'medium', 'low'] as const;
const MAX_ENTRIES = 50;

/** `update_plan {entries}`: shows the person the whole plan (PL-2). */
export const updatePlan: Tool = {
  name: 'update_plan',
  kind: 'think',
  changes: false,
  description:
    'Shows the person your plan for a task of several steps, and how far you are. Give the whole plan each time: it replaces the one before. Have one entry in progress at a time, and mark entries as completed as soon as they are.',
  inputSchema: objectSchema({
    entries: {
      type: 'array',
      maxItems: MAX_ENTRIES,
      description: 'All steps in their order; an empty list takes the plan away.',
      items: objectSchema(
        {
          content: { type: 'string', minLength: 1, maxLength: 500, description: 'The step, in a few words.' },
          status: { type: 'string', enum: STATUSES },
          priority: { type: 'string', enum: PRIORITIES, description: 'By default medium.' },
        },
        ['priority'],
      ),
    },
  }),
  start: (input) => {
    const entries = asList(input['entries']).map((entry) => entryOf(asObject(entry)));
    return {
      title: 'Update the plan',
      run: ({ plan }) => {
        plan(entries);
        return Promise.resolve({ output: 'The plan is shown.', content: [] });
      },
    };
  },
};

function entryOf({ content, status, priority }: JsonObject): PlanEntry {
  return {
    content: asString(content) ?? '',
    status: STATUSES.find((known) => known === status) ?? 'pending',
    priority: PRIORITIES.find((known) => known === priority) ?? 'medium',
  };
}
