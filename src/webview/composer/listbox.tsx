import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../transcript/icon';

/** One line of a list to choose from. */
export interface ListItem {
  value: string;
  name: string;
  description?: string;
  group?: string;
  selected?: boolean;
  /** A codicon before the name. */
  icon?: string;
  /** Stands beside the name, cut where it does not fit. */
  place?: string;
}

/** Where an arrow key leads in a list; undefined for any other key. */
export function stepTo(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home' || key === 'PageUp') return 0;
  if (key === 'End' || key === 'PageDown') return count - 1;
  return undefined;
}

/**
 * The line that typing leads to in a list without a filter: the next one that begins so, from the active one on; one letter, also
 * again, leads to the next line with it. Undefined where none begins so.
 */
export function typeahead(text: string, items: readonly ListItem[], active: number): number | undefined {
  const typed = text.toLowerCase();
  const first = typed[0] ?? '';
  const isOneLetter = typed === first.repeat(typed.length);
  const wanted = isOneLetter ? first : typed;
  const from = isOneLetter ? active + 1 : active;
  for (let step = 0; step < items.length; step++) {
    const index = (from + step) % items.length;
    if (items[index]?.name.toLowerCase().startsWith(wanted)) return index;
  }
  return undefined;
}

/** The id of the line that is active, for `aria-activedescendant`. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** Lines above which only those in sight are drawn. */
const LONG = 60;

interface ListBoxProps {
  id: string;
  label: string;
  items: readonly ListItem[];
  active: number;
  pick: (item: ListItem) => void;
  focusable?: boolean;
}

/** A list to choose from. The focus stays where it is, unless the list is focusable itself. */
export function ListBox({ id, label, items, active, pick, focusable }: ListBoxProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
    // The name of its group stands above the first line.
    if (active === 0 && list.current) list.current.scrollTop = 0;
  }, [active, items.length]);
  useLayoutEffect(() => {
    if (focusable) list.current?.focus({ preventScroll: true });
  }, [focusable]);
  return (
    <div
      class="list"
      data-long={items.length > LONG ? '' : undefined}
      id={id}
      ref={list}
      role="listbox"
      aria-label={label}
      tabIndex={focusable ? 0 : -1}
      aria-activedescendant={items.length > 0 ? optionId(id, active) : undefined}
    >
      {items.map((item, index) => (
        <Fragment key={item.value}>
          {item.group !== undefined && item.group !== items[index - 1]?.group && (
            <div class="list-group" role="presentation">
              {item.group}
            </div>
          )}
          <div
            class="list-item"
            id={optionId(id, index)}
            role="option"
            aria-selected={item.selected ?? index === active}
            data-active={index === active ? '' : undefined}
            data-value={item.value}
            // A press must not take the focus from where the person types.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(item)}
          >
            {item.icon && <Icon name={item.icon} />}
            <span class="list-name">{item.name}</span>
            {item.place && (
              <span class="list-place dim" title={`${item.place} · ${item.name}`}>
                <bdi>{item.place}</bdi>
              </span>
            )}
            {item.selected && <Icon name="check" />}
            {item.description && <span class="list-description dim">{item.description}</span>}
          </div>
        </Fragment>
      ))}
    </div>
  );
}
