import { useSignalEffect } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { isBusy, openElicitations, openPermissions } from '../core/session/select';
import type { SessionState } from '../core/session/state';
import { usePage, type Page } from './page';
import { questionOf, subjectOf } from './transcript/question';
import { visibleText } from '../core/visibleText';

interface Heard {
  epoch: number;
  busy: boolean;
  questions: ReadonlySet<string>;
}

const hear = ({ epoch, state }: { epoch: number; state: SessionState }): Heard => ({
  epoch,
  busy: isBusy(state),
  questions: new Set([
    ...openPermissions(state).map(({ permission }) => permission.requestId),
    ...openElicitations(state).map(({ requestId }) => requestId),
  ]),
});

function news(page: Page, before: Heard): string | undefined {
  const { t, store } = page;
  const { state } = store;
  const asked = openPermissions(state).find(({ permission }) => !before.questions.has(permission.requestId));
  if (asked) {
    const { entry } = asked;
    return t('saidQuestion', state.agent.title, `${t(questionOf(entry))} ${visibleText(subjectOf(entry))}`);
  }
  const form = openElicitations(state).find(({ requestId }) => !before.questions.has(requestId));
  if (form) return t('saidQuestion', state.agent.title, visibleText(form.message));
  if (!before.busy || isBusy(state)) return undefined;
  const last = state.entries.at(-1);
  return last?.kind === 'error' ? t('saidError', last.error.message) : t('saidTurnEnded');
}

/** Says, once each, what a person who can't see the page must know; the banner speaks for itself. */
export function Announcer() {
  const page = usePage();
  const [text, setText] = useState('');
  const heard = useRef<Heard>(undefined);
  useSignalEffect(() => {
    page.store.follow('turn');
    page.store.follow('permissions');
    const { store } = page;
    const before = heard.current;
    heard.current = hear(store);
    const said = before?.epoch === store.epoch ? news(page, before) : undefined;
    if (said !== undefined) setText(said);
  });
  return (
    <div class="unseen" role="status" aria-live="polite">
      {text}
    </div>
  );
}
