import type { SendKey } from '../../core/chat/protocol';

const isOfSending = (event: KeyboardEvent, key: SendKey): boolean =>
  event.key === 'Enter' &&
  !event.shiftKey &&
  !event.altKey &&
  (key === 'enter' || event.ctrlKey || event.metaKey);

/** True for the key that sends or saves a text, by the person's setting; false while it repeats since it is held. */
export function isSendKey(event: KeyboardEvent, key: SendKey): boolean {
  return !event.repeat && isOfSending(event, key);
}

/** True for the key that sends while it repeats: it does nothing, a press that picked something from a list must not send as well. */
export function isHeldSendKey(event: KeyboardEvent, key: SendKey): boolean {
  return event.repeat && isOfSending(event, key);
}
