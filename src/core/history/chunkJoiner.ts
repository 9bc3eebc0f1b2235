import type { SessionAction } from '../session/actions';
import { isJoinable, joinToolUpdates } from '../session/joinToolUpdates';

type Update = Extract<SessionAction, { type: 'update' }>;
type Held = { action: Update; role: string; messageId: string | undefined; text: string };

/**
 * Joins the text chunks of one message, and what is repeated of one tool call, so that a log has few lines. The first chunk of a run
 * stays alone: its time is when the message began.
 */
export class ChunkJoiner {
  private run: Held | undefined;
  private holds = false;
  private toolUpdate: SessionAction | undefined;

  /** True while `take` has something to give. */
  get isHolding(): boolean {
    return this.holds || this.toolUpdate !== undefined;
  }

  /** Takes an action and gives those that are ready to be written, in order. */
  push(action: SessionAction): SessionAction[] {
    const chunk = readText(action);
    if (chunk && this.run && chunk.role === this.run.role && chunk.messageId === this.run.messageId) {
      this.run = this.holds ? { ...chunk, text: this.run.text + chunk.text } : chunk;
      this.holds = true;
      return [];
    }
    const joined = this.toolUpdate && joinToolUpdates(this.toolUpdate, action);
    if (joined) {
      this.toolUpdate = joined;
      return [];
    }
    const ready = this.take();
    this.run = chunk;
    if (isJoinable(action)) this.toolUpdate = action;
    else ready.push(action);
    return ready;
  }

  /** Gives what is held back; a chunk that follows is still of the same run. */
  take(): SessionAction[] {
    const { toolUpdate } = this;
    this.toolUpdate = undefined;
    if (toolUpdate) return [toolUpdate];
    if (!this.run || !this.holds) return [];
    const { action, text } = this.run;
    this.holds = false;
    return [{ ...action, update: { ...action.update, block: { type: 'text', text } } as Update['update'] }];
  }
}

/** User chunks may be an echo that is taken piece by piece, and `_meta` belongs to its own chunk. */
function readText(action: SessionAction): Held | undefined {
  if (action.type !== 'update' || action.meta || action.update.kind !== 'chunk') return undefined;
  const { role, block, messageId } = action.update;
  if (role === 'user' || block.type !== 'text' || block.text === '') return undefined;
  return { action, role, messageId, text: block.text };
}
