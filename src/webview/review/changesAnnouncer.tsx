import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isBusy } from '../../core/session/select';
import { usePage, type Page } from '../page';
import { filesChanged } from './changesDock';

/** ms without a change of the list after the end of a turn until it is taken for complete. */
const SETTLED = 700;

interface Heard {
  epoch: number;
  /** The turn that runs or ran last. */
  turn: number;
  /** It began or ran while the page watched, and nothing was said of it. */
  pending: boolean;
}

/** What to say when the list has settled; undefined while there is nothing, or not yet. */
function newsOf({ store, t }: Page, heard: Heard): string | undefined {
  const { turn, changes } = store.state;
  if (!heard.pending || isBusy(store.state)) return undefined;
  if (changes.turn?.number !== turn.number || changes.turn.files.length === 0) return undefined;
  return filesChanged(t, changes.turn.files.length);
}

/** Says once after each turn how many files it changed: the last of them are found only after its end. */
export function ChangesAnnouncer() {
  const page = usePage();
  const [text, setText] = useState('');
  const heard = useRef<Heard>({ epoch: -1, turn: 0, pending: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useSignalEffect(() => {
    const { store } = page;
    store.follow('turn');
    store.follow('changes');
    clearTimeout(timer.current);
    const { epoch, state } = store;
    const { number } = state.turn;
    const before = heard.current;
    if (before.epoch !== epoch) heard.current = { epoch, turn: number, pending: isBusy(state) };
    else if (before.turn !== number) heard.current = { epoch, turn: number, pending: true };
    if (heard.current !== before) setText('');
    if (newsOf(page, heard.current) === undefined) return;
    timer.current = setTimeout(() => {
      const news = newsOf(page, heard.current);
      if (news === undefined) return;
      heard.current.pending = false;
      setText(news);
    }, SETTLED);
  });
  return (
    <div class="unseen" role="status" aria-live="polite" data-said="changes">
      {text}
    </div>
  );
}
