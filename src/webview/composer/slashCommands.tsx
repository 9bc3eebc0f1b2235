import { useState } from 'preact/hooks';
import type { CommandView } from '../../core/session/state';
import { usePage, usePart } from '../page';
import { ListBox, stepTo, type ListItem } from './listbox';

/** Id of the list of commands. */
export const COMMAND_LIST = 'commands';

/** The commands that a draft may mean; none once its first word is over, unless a name of several words begins so. */
export function matchingCommands(draft: string, commands: readonly CommandView[]): CommandView[] {
  const typed = /^\/(\S*(?: \S*)*)$/.exec(draft)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  if (typed.includes(' ')) {
    // Its name is complete: Enter sends it.
    const isMeant = commands.some(({ name }) => `${name.toLowerCase()} ` === typed);
    return isMeant ? [] : commands.filter(({ name }) => name.toLowerCase().startsWith(typed));
  }
  const begins = commands.filter((command) => command.name.toLowerCase().startsWith(typed));
  const contains = commands.filter((command) => command.name.toLowerCase().includes(typed));
  return [...new Set([...begins, ...contains])];
}

/** The popup of commands while one is being typed. */
export interface SlashCommands {
  matches: readonly CommandView[];
  active: number;
  /** True if the key was for the popup. */
  onKey: (key: string) => boolean;
  insert: (name: string) => void;
}

/** The popup of the draft; there is none without the focus. */
export function useSlashCommands(focused: boolean): SlashCommands {
  const page = usePage();
  usePart('commands');
  const draft = page.draft.value;
  const [at, setAt] = useState({ draft: '', index: 0, closed: false });
  const current = at.draft === draft ? at : { draft, index: 0, closed: false };
  const found = matchingCommands(draft, page.store.state.commands);
  const matches = current.closed || !focused ? [] : found;
  const insert = (name: string): void => page.setDraft(`/${name} `);
  const onKey = (key: string): boolean => {
    const active = matches[current.index];
    if (!active) return false;
    const index = key.startsWith('Arrow') ? stepTo(key, current.index, matches.length) : undefined;
    if (index !== undefined) setAt({ ...current, index });
    else if (key === 'Escape') setAt({ ...current, closed: true });
    else if (key === 'Tab') insert(active.name);
    // A command that is typed in full is meant: Enter sends it.
    else if (key === 'Enter' && draft !== `/${active.name}`) insert(active.name);
    else return false;
    return true;
  };
  return { matches, active: current.index, onKey, insert };
}

export function CommandPopup({ matches, active, insert }: SlashCommands) {
  const { t } = usePage();
  if (matches.length === 0) return null;
  const items = matches.map(({ name, description, hint }): ListItem => {
    const about = hint ? `${description} — ${hint}` : description;
    return { value: name, name: `/${name}`, ...(about ? { description: about } : {}) };
  });
  return (
    <div class="popup">
      <ListBox
        id={COMMAND_LIST}
        label={t('commandsLabel')}
        items={items}
        active={active}
        pick={(item) => insert(item.value)}
      />
    </div>
  );
}
