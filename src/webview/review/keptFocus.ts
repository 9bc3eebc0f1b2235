import { useRef } from 'preact/hooks';

/** Tells a focus that was lost with its element from one that the person took elsewhere. */
export interface KeptFocus {
  /** True where the focus was inside, and what had it is gone. */
  isLost: () => boolean;
  onFocusCapture: () => void;
  onBlurCapture: (event: FocusEvent) => void;
}

/** Follows the focus of the element whose handlers are given out. */
export function useKeptFocus(): KeptFocus {
  const inside = useRef(false);
  return {
    isLost: () => inside.current && document.activeElement === document.body,
    onFocusCapture: () => {
      inside.current = true;
    },
    onBlurCapture: ({ target, currentTarget }) => {
      // An element that is removed or moved may lose the focus as well, which only shows afterwards.
      queueMicrotask(() => {
        const stayed = target instanceof Node && target.isConnected && document.hasFocus();
        const root = currentTarget instanceof Node ? currentTarget : null;
        if (stayed && !root?.contains(document.activeElement)) inside.current = false;
      });
    },
  };
}
