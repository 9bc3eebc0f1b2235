import type { ConfigView } from './state';

/** An option by which the agent acts without asking. */
export interface Unasked {
  id: string;
  /** What is on, in the agent's words. */
  name: string;
  /** The value that ends it; absent where that is for the person to choose. */
  off?: string | boolean;
}

const ON = /^(on|true|yes|enabled?)$/i;
const OFF = /^(off|false|no|disabled?)$/i;

/** Said of everything; what lets only edits through, or what a classifier finds safe, is another matter. */
const ALL = /\byolo\b|allow[ _-]?all|bypass[ _-]?permissions|full[ _-]?access|auto\w*[ -]approves? all/i;
/** Said by an option that is on or off. */
const SWITCH = /auto[ _-]?approv|skip[ _-]?permissions|dangerous/i;
/** The same where the agent says that the option is about permissions. */
const PERMISSIONS = /allow|approve|bypass|skip/i;

/** True for a value whose name says nothing without that of its option. */
export function isBareValue(value: string): boolean {
  return ON.test(value) || OFF.test(value);
}

/** What lets the agent act without asking, as far as its options tell by their words; null where nothing does. */
export function unaskedBy(config: readonly ConfigView[]): Unasked | null {
  for (const item of config) {
    const found = isSwitch(item) ? ofSwitch(item) : ofChoice(item);
    if (found) return found;
  }
  return null;
}

function isSwitch(item: ConfigView): boolean {
  return item.type === 'boolean' || item.choices.every(({ value }) => isBareValue(value));
}

function ofSwitch({ id, name, category, ...item }: ConfigView): Unasked | null {
  if (!ON.test(String(item.value))) return null;
  const says = (words: RegExp): boolean => words.test(id) || words.test(name);
  if (!says(ALL) && !says(SWITCH) && !(category === 'permissions' && says(PERMISSIONS))) return null;
  if (item.type === 'boolean') return { id, name, off: false };
  const off = item.choices.find(({ value }) => OFF.test(value))?.value;
  return { id, name, ...(off === undefined ? {} : { off }) };
}

function ofChoice(item: ConfigView): Unasked | null {
  if (item.type === 'boolean' || (item.category !== 'mode' && item.category !== 'permissions')) return null;
  const current = item.choices.find(({ value }) => value === item.value);
  if (!current) return null;
  // Words of an address say nothing.
  const words = [/^\w+:\/\//.test(current.value) ? '' : current.value, current.name, current.description];
  return words.some((text) => text !== undefined && ALL.test(text))
    ? { id: item.id, name: current.name }
    : null;
}
