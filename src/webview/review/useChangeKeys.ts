import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChangedFileView } from '../../core/review/changes';
import { stepTo } from '../composer/listbox';
import { useKeptFocus, type KeptFocus } from './keptFocus';

/** The way through the changed files by keyboard. */
export interface ChangeKeys extends Pick<KeptFocus, 'onFocusCapture' | 'onBlurCapture'> {
  list: RefObject<HTMLUListElement | null>;
  /** Path of the row that Tab reaches. */
  active: string | undefined;
  activate: (path: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function focusRow(list: HTMLElement | null, index: number): void {
  list?.querySelectorAll<HTMLElement>('.change-main')[index]?.focus();
}

/** Leads from row to row, one of which Tab reaches; the row below takes over from one that is gone. `leave` follows Escape. */
export function useChangeKeys(files: readonly ChangedFileView[], leave: () => void): ChangeKeys {
  const list = useRef<HTMLUListElement>(null);
  const [chosen, setChosen] = useState<string>();
  const lastIndex = useRef(0);
  const focus = useKeptFocus();
  const found = files.findIndex(({ path }) => path === chosen);
  const at = found >= 0 ? found : Math.max(0, Math.min(lastIndex.current, files.length - 1));
  useLayoutEffect(() => {
    lastIndex.current = at;
    if (focus.isLost()) focusRow(list.current, at);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const index = stepTo(event.key, at, files.length);
    if (event.key === 'Escape') leave();
    else if (index !== undefined) focusRow(list.current, index);
    else return;
    event.preventDefault();
  };
  const { onFocusCapture, onBlurCapture } = focus;
  return { list, active: files[at]?.path, activate: setChosen, onKeyDown, onFocusCapture, onBlurCapture };
}
