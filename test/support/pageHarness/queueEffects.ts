import type { Attachment } from '../../../src/core/chat/attachment';
import type { Intent } from '../../../src/core/chat/protocol';
import type { SessionAction } from '../../../src/core/session/actions';
import { isBusy } from '../../../src/core/session/select';
import type { BlockView, QueuedPrompt, SessionState } from '../../../src/core/session/state';

type Effect<T extends Intent['type']> = (
  intent: Extract<Intent, { type: T }>,
  at: number,
  state: SessionState,
) => SessionAction[];

const changed = (state: SessionState, items: QueuedPrompt[], paused = state.queue.paused): SessionAction => ({
  type: 'queueChanged',
  queue: { items, paused },
});

const others = (state: SessionState, id: string): QueuedPrompt[] =>
  state.queue.items.filter((item) => item.id !== id);

const block = (attachment: Attachment): BlockView =>
  attachment.kind === 'image'
    ? { type: 'image', mimeType: attachment.mimeType, data: attachment.data }
    : { type: 'link', uri: 'path' in attachment ? `file://${attachment.path}` : '', name: attachment.name };

const moved = (state: SessionState, id: string, to: number): SessionAction[] => {
  const item = state.queue.items.find((queued) => queued.id === id);
  return item ? [changed(state, others(state, id).toSpliced(to, 0, item))] : [];
};

let lastId = 0;

/** What the intents about prompts and the queue do to a session. */
export const queueEffects: { [T in Intent['type']]?: Effect<T> } = {
  prompt: ({ text, attachments }, at, state) =>
    isBusy(state)
      ? [changed(state, [...state.queue.items, { id: `n${++lastId}`, text, attachments }])]
      : [{ type: 'promptSubmitted', blocks: [{ type: 'text', text }, ...attachments.map(block)], at }],
  queueRemove: ({ id }, _, state) => [changed(state, others(state, id))],
  queueEdit: ({ id, text }, _, state) => [
    changed(
      state,
      state.queue.items.map((item) => (item.id === id ? { ...item, text } : item)),
    ),
  ],
  queueMove: ({ id, to }, _, state) => moved(state, id, to),
  queueSendNow: ({ id }, at, state) => [...moved(state, id, 0), { type: 'cancelRequested', at }],
  queueResume: (_, __, state) => [changed(state, state.queue.items, false)],
  cancelTurn: (_, at, state) => [
    { type: 'cancelRequested', at },
    ...(state.queue.items.length > 0 ? [changed(state, state.queue.items, true)] : []),
  ],
};
