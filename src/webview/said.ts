import { signal } from '@preact/signals';

/** A sentence for a person who can't see the page; a new object for each time that it is to be read out. */
export interface Saying {
  text: string;
}

/** What a press has done, where only the look of a button shows it. */
export const said = signal<Saying | null>(null);

/** Has a sentence read out once. */
export function say(text: string): void {
  said.value = { text };
}
