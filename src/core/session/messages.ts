import type { SessionUpdate } from './actions';
import { addEntry, changed, lastEntry } from './entries';
import type { BlockView, MessageEntry, SessionState, UserEntry } from './state';
import type { Touch } from './touch';

type Chunk = Extract<SessionUpdate, { kind: 'chunk' }>;

/**
 * Appends a chunk to the last message if it continues it, else begins a new one (MI-1): the role must match, and a changed
 * `messageId` begins a new message. Empty text is dropped: some agents send it as a carrier for `_meta`.
 */
export function applyChunk(state: SessionState, chunk: Chunk, at: number, touch: Touch): void {
  if (chunk.block.type === 'text' && chunk.block.text === '') return;
  if (chunk.role === 'user') applyUserChunk(state, chunk, touch);
  else applyAgentChunk(state, chunk, at, touch);
}

function continues(last: UserEntry | MessageEntry, chunk: Chunk): boolean {
  if (last.kind !== chunk.role) return false;
  return chunk.messageId ? chunk.messageId === last.messageId : !('whole' in last);
}

/** Notes that a model call has ended: of an agent that gives no ids, what it says next is another message (MI-1). */
export function endMessage(state: SessionState): void {
  const last = lastEntry(state);
  if ((last?.kind === 'agent' || last?.kind === 'thought') && !last.messageId) last.whole = true;
}

function applyAgentChunk(state: SessionState, chunk: Chunk, at: number, touch: Touch): void {
  const last = lastEntry(state);
  if (last && (last.kind === 'agent' || last.kind === 'thought') && continues(last, chunk)) {
    append(last.blocks, chunk.block);
    last.lastAt = at;
    changed(last, touch);
    return;
  }
  const kind = chunk.role === 'thought' ? 'thought' : 'agent';
  const id = chunk.messageId ? { messageId: chunk.messageId } : {};
  addEntry(state, touch, { kind, blocks: [{ ...chunk.block }], startedAt: at, lastAt: at, ...id });
}

function applyUserChunk(state: SessionState, chunk: Chunk, touch: Touch): void {
  if (isEcho(state, chunk.block)) return;
  const last = lastEntry(state);
  if (last?.kind === 'user' && !last.own && continues(last, chunk)) {
    append(last.blocks, chunk.block);
    changed(last, touch);
    return;
  }
  const id = chunk.messageId ? { messageId: chunk.messageId } : {};
  addEntry(state, touch, { kind: 'user', own: false, blocks: [{ ...chunk.block }], ...id });
}

/** True for a piece of the prompt that the agent sends back while the turn runs (MI-2). */
function isEcho(state: SessionState, block: BlockView): boolean {
  const { turn } = state;
  if (turn.status === 'idle' || block.type !== 'text' || !turn.echo.startsWith(block.text)) return false;
  turn.echo = turn.echo.slice(block.text.length);
  return true;
}

/** Appends a block; text that follows text for the same readers continues it. */
export function append(blocks: BlockView[], block: BlockView): void {
  const last = blocks.at(-1);
  if (last?.type === 'text' && block.type === 'text' && last.hidden === block.hidden) last.text += block.text;
  // A copy: the action that brought it may still wait to be sent to the page.
  else blocks.push({ ...block });
}
