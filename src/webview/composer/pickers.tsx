import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { shownOrder } from '../../core/session/config';
import type { ConfigView } from '../../core/session/state';
import { isBareValue, unaskedBy } from '../../core/session/unasked';
import { usePage, usePart } from '../page';
import { Icon } from '../transcript/icon';
import { ListBox, optionId, stepTo, typeahead, type ListItem } from './listbox';
import { useOutsidePress } from './outsidePress';

/** Choices above which a list can be filtered. */
const FILTER_FROM = 12;

type SelectView = Extract<ConfigView, { type: 'select' }>;

function itemsOf(item: SelectView, filter: string): ListItem[] {
  const wanted = filter.trim().toLowerCase();
  return item.choices
    .filter(({ name, value, description, group }) =>
      `${name} ${value} ${description ?? ''} ${group ?? ''}`.toLowerCase().includes(wanted),
    )
    .map((choice) => ({ ...choice, selected: choice.value === item.value }));
}

interface PopupProps {
  item: SelectView;
  choose: (value: string) => void;
  close: (refocus: boolean) => void;
}

interface FilterProps {
  list: string;
  active: number;
  value: string;
  change: (filter: string) => void;
}

function Filter({ list, active, value, change }: FilterProps) {
  const { t } = usePage();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <input
      type="text"
      class="filter"
      ref={input}
      placeholder={t('filter')}
      aria-label={t('filter')}
      aria-controls={list}
      aria-activedescendant={optionId(list, active)}
      value={value}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}

/** ms after which a letter begins a new search by typing. */
const TYPING = 800;

function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return /^.$/u.test(key) && !ctrlKey && !metaKey && !altKey;
}

function addTyped({ text, at }: { text: string; at: number }, { key, timeStamp }: KeyboardEvent) {
  return { text: timeStamp - at < TYPING ? text + key : key, at: timeStamp };
}

function ChoicePopup({ item, choose, close }: PopupProps) {
  const { t } = usePage();
  const [filter, setFilter] = useState('');
  const items = useMemo(() => itemsOf(item, filter), [item, filter]);
  const typed = useRef({ text: '', at: 0 });
  const selected = items.findIndex((choice) => choice.selected);
  const [active, setActive] = useState(Math.max(0, selected));
  useOutsidePress(() => close(false));
  const hasFilter = item.choices.length > FILTER_FROM;
  const list = `choices-${item.id}`;
  const change = (next: string): void => {
    setFilter(next);
    setActive(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Tab') return close(false);
    const index = stepTo(event.key, active, items.length);
    const chosen = items[active];
    if (index !== undefined) setActive(index);
    else if (event.key === 'Escape') close(true);
    else if (chosen && (event.key === 'Enter' || (event.key === ' ' && !hasFilter))) choose(chosen.value);
    else if (!hasFilter && isCharacter(event)) {
      typed.current = addTyped(typed.current, event);
      setActive(typeahead(typed.current.text, items, active) ?? active);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="popup" onKeyDown={onKeyDown}>
      {hasFilter && <Filter list={list} active={active} value={filter} change={change} />}
      {items.length === 0 ? (
        <div class="list-empty dim">{t('noMatches')}</div>
      ) : (
        <ListBox
          id={list}
          label={item.name}
          items={items}
          active={active}
          pick={(choice) => choose(choice.value)}
          focusable={!hasFilter}
        />
      )}
    </div>
  );
}

interface PickerProps {
  item: SelectView;
  /** By its value the agent acts without asking. */
  unasked: boolean;
  open: boolean;
  setOpen: (open: boolean) => void;
}

function SelectPicker({ item, unasked, open, setOpen }: PickerProps) {
  const { t, act } = usePage();
  const button = useRef<HTMLButtonElement>(null);
  const current = item.choices.find((choice) => choice.value === item.value)?.name ?? item.value;
  const label = t('optionsOfPicker', item.name, current);
  const close = (refocus: boolean): void => {
    setOpen(false);
    if (refocus) button.current?.focus();
  };
  return (
    <>
      <button
        type="button"
        class={unasked ? 'pick unasked-pick' : 'pick'}
        ref={button}
        data-config-id={item.id}
        data-config-value={item.value}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <span class="cut">{isBareValue(current) ? label : current}</span>
        <Icon name="chevron-down" />
      </button>
      {open && (
        <ChoicePopup
          item={item}
          close={close}
          choose={(value) => {
            close(true);
            if (value !== item.value) void act({ type: 'setConfig', id: item.id, value });
          }}
        />
      )}
    </>
  );
}

/** The controls of the session: its agent, and one for each of its options. */
export function Pickers() {
  const { t, act, store } = usePage();
  usePart('config');
  usePart('agent');
  const [openId, setOpenId] = useState<string | null>(null);
  const { agent, config } = store.state;
  const unasked = unaskedBy(config)?.id;
  return (
    <div class="picks">
      <button
        type="button"
        class="pick"
        data-parley="agent"
        aria-label={t('agentPicker', agent.title)}
        title={t('agentPicker', agent.title)}
        onClick={() => void act({ type: 'selectAgent', id: null })}
      >
        <span class="cut">{agent.title}</span>
        <Icon name="chevron-down" />
      </button>
      <div class="picks" data-parley="config">
        {shownOrder(config).map((item) =>
          item.type === 'select' ? (
            <SelectPicker
              key={item.id}
              item={item}
              unasked={item.id === unasked}
              open={openId === item.id}
              setOpen={(open) => setOpenId(open ? item.id : null)}
            />
          ) : (
            <button
              key={item.id}
              type="button"
              class={item.id === unasked ? 'pick switch unasked-pick' : 'pick switch'}
              role="switch"
              data-config-id={item.id}
              aria-checked={item.value}
              title={item.name}
              onClick={() => void act({ type: 'setConfig', id: item.id, value: !item.value })}
            >
              <span class="track" aria-hidden="true" />
              <span class="cut">{item.name}</span>
            </button>
          ),
        )}
      </div>
    </div>
  );
}
