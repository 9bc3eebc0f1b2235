import { usePage } from '../page';
import { AgentMessage, UserMessage } from './message';
import { Failure, Notice, TurnEnd } from './outcome';
import { FinishedPlan } from './plan';
import { Thought } from './thought';
import { ToolCall } from './toolCall';

const VIEWS = {
  user: UserMessage,
  agent: AgentMessage,
  thought: Thought,
  tool: ToolCall,
  plan: FinishedPlan,
  notice: Notice,
  error: Failure,
  end: TurnEnd,
} as const;

/** One entry of the conversation; an entry never changes its kind. */
export function EntryView({ id }: { id: number }) {
  const kind = usePage().store.entry(id)?.kind;
  if (!kind) return null;
  const View = VIEWS[kind];
  return <View id={id} />;
}
