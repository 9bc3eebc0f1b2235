import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { usePage } from '../page';
import { TranscriptWindow } from './transcriptWindow';

/** What takes the keys that would scroll the conversation. */
const TAKES_KEYS = '[tabindex="0"], input, textarea, select';

/** Home and End reach the ends of the conversation also where these are not drawn; true if the key was one of them. */
export function handleScrollKey(event: KeyboardEvent, window: TranscriptWindow): boolean {
  if (event.shiftKey || event.altKey || !(event.target instanceof Element)) return false;
  if (event.target.closest(TAKES_KEYS) !== event.currentTarget) return false;
  if (event.key === 'Home') window.toStart();
  else if (event.key === 'End') window.toEnd();
  else return false;
  return true;
}

/** The window of a conversation: it keeps the end in view while it is being read there, and the place of a reader who scrolled up. */
export function useTranscriptWindow(epoch: number): {
  log: RefObject<HTMLDivElement | null>;
  window: TranscriptWindow;
} {
  const page = usePage();
  const log = useRef<HTMLDivElement>(null);
  const window = useMemo(() => new TranscriptWindow(page), [page, epoch]);
  const current = useRef(window);
  current.current = window;
  useLayoutEffect(() => (log.current ? window.attach(log.current) : undefined), [window]);
  useSignalEffect(() => {
    if (page.showEnd.value > 0) current.current.toEnd();
  });
  return { log, window };
}
