import type { PlanEntry } from '../../core/acp';
import type { JsonObject } from '../../core/json';
import type { ModelEvent } from './model';
import type { Situation } from './planner';
import type { Step } from './requests';

/** One model call of a request with steps: tells how the last step went, then asks for the tool of the next one. */
export async function* takeStep(steps: readonly Step[], situation: Situation): AsyncGenerator<ModelEvent> {
  const { mode, results, phrases, speech } = situation;
  const entries = steps.map((step) => phrases.entry(step));
  const stopped = (results.at(-1)?.outcome ?? 'completed') !== 'completed';
  const done = stopped ? results.length - 1 : results.length;
  if (steps.length > 1 || mode === 'plan') {
    yield planEvent(entries, { done, active: !stopped && mode !== 'plan' });
  }
  if (mode === 'plan') yield* speech.say(phrases.planOnly);
  else if (stopped) yield* speech.say(whyStopped(situation, entries[done] ?? ''));
  else yield* goOn(steps, situation);
}

async function* goOn(steps: readonly Step[], situation: Situation): AsyncGenerator<ModelEvent> {
  const { results, phrases, speech } = situation;
  const last = results.at(-1);
  const before = steps[results.length - 1];
  const step = steps[results.length];
  if (last && before) yield* speech.say(phrases.done(before, last.output));
  if (step) {
    yield* speech.say(`${before ? '\n\n' : ''}${phrases.doing(step)}`);
    yield toolFor(step);
  } else if (steps.length > 1) {
    const summary = phrases.summary(steps.length);
    yield* speech.say(`\n\n${summary}`);
    yield { type: 'toolRequest', name: 'task_complete', input: { summary } };
  }
}

/** The whole plan: the first `done` entries are completed and the next is in progress, unless nothing goes on. */
export function planEvent(entries: readonly string[], at: { done: number; active: boolean }): ModelEvent {
  const status = (index: number): PlanEntry['status'] => {
    if (index < at.done) return 'completed';
    return index === at.done && at.active ? 'in_progress' : 'pending';
  };
  return {
    type: 'plan',
    entries: entries.map((content, index) => ({ content, priority: 'medium', status: status(index) })),
  };
}

/** What to say when the last tool did not do what it was asked. */
export function whyStopped({ results, phrases }: Situation, entry: string): string {
  const last = results.at(-1);
  if (last?.outcome === 'rejected') return phrases.rejected(entry);
  const [reason = ''] = (last?.output ?? '').split('\n');
  return phrases.failed(entry, reason);
}

function toolFor(step: Step): ModelEvent {
  const request = (name: string, input: JsonObject): ModelEvent => ({ type: 'toolRequest', name, input });
  if (step.do === 'read') return request('read_file', { path: step.path });
  if (step.do === 'list') return request('list_directory', { path: step.path });
  if (step.do === 'search') return request('search_text', { text: step.text, path: step.path });
  if (step.do === 'replace')
    return request('edit_file', { path: step.path, oldText: step.from, newText: step.to, all: true });
  if (step.do === 'create') return request('write_file', { path: step.path, text: step.text });
  return request('run_command', { command: step.command });
}
