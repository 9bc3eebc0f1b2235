import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { usePage } from '../page';

/** How near to its end (px) a conversation counts as being read at its end. */
const NEAR = 24;

const isAtEnd = (log: HTMLElement): boolean => log.scrollHeight - log.scrollTop - log.clientHeight <= NEAR;

export interface Following {
  log: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** True while new entries are being scrolled to. */
  atEnd: boolean;
  toEnd: () => void;
}

/** Keeps the end of the conversation in view while it is being read there; a reader who scrolled up stays where they are. */
export function useFollowing(epoch: number): Following {
  const { persisted, showEnd } = usePage();
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  useEffect(() => {
    const [box, inside] = [log.current, content.current];
    if (!box || !inside) return;
    follows.current = persisted.scroll === null;
    box.scrollTop = persisted.scroll ?? box.scrollHeight;
    let lastTop = box.scrollTop;
    let settled = false;
    const onScroll = (): void => {
      // Only a person scrolls up; content that grows moves the end away without moving the reader.
      if (box.scrollTop < lastTop - 1 && !isAtEnd(box)) follows.current = false;
      else if (isAtEnd(box)) follows.current = true;
      lastTop = box.scrollTop;
      setAtEnd(follows.current);
    };
    const onScrollEnd = (): void => {
      if (settled) persisted.scroll = follows.current ? null : Math.round(box.scrollTop);
    };
    const resized = new ResizeObserver(() => {
      if (follows.current) {
        box.scrollTop = box.scrollHeight;
        // A turn of the wheel right after this is told by the same event: it must count from here.
        lastTop = box.scrollTop;
      } else setAtEnd(isAtEnd(box));
      settled = true;
    });
    resized.observe(inside);
    resized.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    box.addEventListener('scrollend', onScrollEnd, { passive: true });
    return () => {
      resized.disconnect();
      box.removeEventListener('scroll', onScroll);
      box.removeEventListener('scrollend', onScrollEnd);
    };
  }, [epoch]);

  useSignalEffect(() => {
    if (showEnd.value > 0) toEnd();
  });
  const toEnd = (): void => {
    follows.current = true;
    setAtEnd(true);
    persisted.scroll = null;
    log.current?.scrollTo({ top: log.current.scrollHeight });
  };
  return { log, content, atEnd, toEnd };
}
