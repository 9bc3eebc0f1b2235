import { Boundary } from '../boundary';
import { usePage } from '../page';
import { Compaction } from './compaction';
import { Elicitation } from './elicitation';
import { AgentMessage, UserMessage } from './message';
import { Failure, Notice, TurnEnd } from './outcome';
import { FinishedPlan } from './plan';
import { SyntheticMessage } from './synthetic';
import { Thought } from './thought';
import type { Store } from '../store';
import { ToolRun } from './toolRun';

const VIEWS = {
  user: UserMessage,
  synthetic: SyntheticMessage,
  agent: AgentMessage,
  thought: Thought,
  plan: FinishedPlan,
  notice: Notice,
  error: Failure,
  end: TurnEnd,
  compaction: Compaction,
  elicitation: Elicitation,
} as const;

/** Joins calls of tools that follow each other. */
function runsOf(store: Store, ids: readonly number[]): number[][] {
  const isTool = (id: number | undefined): boolean => id !== undefined && store.entry(id)?.kind === 'tool';
  const runs: number[][] = [];
  for (const id of ids) {
    const last = runs.at(-1);
    if (last && isTool(id) && isTool(last[0])) last.push(id);
    else runs.push([id]);
  }
  return runs;
}

/** Entries of the conversation; an entry never changes its kind. */
export function EntryViews({ ids }: { ids: readonly number[] }) {
  const { store } = usePage();
  return (
    <>
      {runsOf(store, ids).map((run) => {
        const id = run[0] ?? 0;
        const kind = store.entry(id)?.kind;
        if (!kind) return null;
        const View = kind === 'tool' ? undefined : VIEWS[kind];
        return (
          <Boundary key={id} name={`${kind} ${id}`} entry>
            {View ? <View id={id} /> : <ToolRun ids={run.join(',')} />}
          </Boundary>
        );
      })}
    </>
  );
}
