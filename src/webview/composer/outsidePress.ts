import { useEffect, useRef } from 'preact/hooks';

/** Closes a popup when something outside of it, and of what opens it, is pressed. */
export function useOutsidePress(close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const outside = (event: Event): void => {
      const { target } = event;
      if (target instanceof Element && !target.closest('.popup, .picks, .usage-place')) latest.current();
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, []);
}
