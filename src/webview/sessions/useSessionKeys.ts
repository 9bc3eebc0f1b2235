import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { SessionRow } from '../../core/chat/sessionRow';
import { stepTo } from '../composer/listbox';

/** The way through the rows by keyboard. */
export interface SessionKeys {
  list: RefObject<HTMLUListElement | null>;
  /** Key of the row that Tab reaches. */
  active: string | undefined;
  activate: (key: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function focusRow(list: HTMLElement | null, index: number): void {
  list?.querySelectorAll<HTMLElement>('.session-main')[index]?.focus();
}

const isDelete = ({ key, metaKey }: KeyboardEvent): boolean =>
  key === 'Delete' || (key === 'Backspace' && metaKey);

/** Leads from row to row, one of which Tab reaches; the row below takes over from one that is gone. */
export function useSessionKeys(rows: readonly SessionRow[], remove: (row: SessionRow) => void): SessionKeys {
  const list = useRef<HTMLUListElement>(null);
  const [chosen, setChosen] = useState<string>();
  const lastIndex = useRef(0);
  const hadFocus = useRef(false);
  const found = rows.findIndex(({ key }) => key === chosen);
  const current = rows.findIndex((row) => row.current);
  const instead = chosen === undefined ? Math.max(0, current) : Math.min(lastIndex.current, rows.length - 1);
  const at = found >= 0 ? found : instead;
  const activate = (key: string): void => {
    hadFocus.current = true;
    setChosen(key);
  };

  useLayoutEffect(() => {
    lastIndex.current = Math.max(0, at);
    // A row that goes away takes the focus with it.
    if (hadFocus.current && document.activeElement === document.body) focusRow(list.current, at);
  }, [at, rows]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const inFilter = event.target instanceof HTMLInputElement;
    const inList = event.target instanceof Node && list.current?.contains(event.target) === true;
    if (event.isComposing || event.defaultPrevented) return;
    const row = rows[at];
    if (inList && row && isDelete(event)) remove(row);
    else if (inFilter && !event.key.startsWith('Arrow')) return;
    else {
      const index = inList ? stepTo(event.key, at, rows.length) : startAt(event.key, at);
      if (index === undefined) return;
      focusRow(list.current, index);
    }
    event.preventDefault();
  };
  return { list, active: rows[at]?.key, activate, onKeyDown };
}

/** The row that an arrow key leads to from outside of the list. */
function startAt(key: string, at: number): number | undefined {
  return key === 'ArrowDown' ? Math.max(0, at) : undefined;
}
