import type { ComponentChildren, RefObject } from 'preact';
import type { ElicitationEntry } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { usePage, usePart } from '../page';
import { Icon } from './icon';

interface CardProps {
  entry: ElicitationEntry;
  card: RefObject<HTMLDivElement | null>;
  children: ComponentChildren;
}

/**
 * The frame of an open question: who asks, and the message as plain text (EL-2, EL-16). Escape only takes the focus out of a field:
 * it neither answers nor stops the turn.
 */
export function ElicitationCard({ entry, card, children }: CardProps) {
  const { t, store } = usePage();
  usePart('agent');
  const title = t(entry.form ? 'elicitForm' : 'elicitUrl', visibleText(store.state.agent.title));
  const message = visibleText(entry.message);
  return (
    <div
      class="form"
      data-elicitation={entry.requestId}
      ref={card}
      tabIndex={-1}
      role="group"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.preventDefault();
        card.current?.focus({ preventScroll: true });
      }}
    >
      <div class="ask-title">
        <Icon name={entry.form ? 'checklist' : 'link-external'} />
        <span class="grow">{title}</span>
      </div>
      {message !== '' && (
        <div class="form-message plain" dir="auto" tabIndex={0}>
          {message}
        </div>
      )}
      {children}
    </div>
  );
}

interface ActionsProps {
  /** Name of the button that accepts; undefined where nothing can be accepted. */
  accept: string | undefined;
  /** False until an answer can be meant. */
  ready: boolean;
  act: (action: 'accept' | 'decline' | 'cancel') => void;
}

/** The three answers of every question (EL-2, EL-4); the one that accepts counts only when the question was seen. */
export function ElicitationActions({ accept, ready, act }: ActionsProps) {
  const { t } = usePage();
  return (
    <div class="form-actions">
      {accept !== undefined && (
        <button
          type="button"
          class="button primary"
          data-ready={ready ? 'true' : undefined}
          aria-disabled={!ready}
          onClick={() => ready && act('accept')}
        >
          {accept}
        </button>
      )}
      <button type="button" class="button" onClick={() => act('decline')}>
        {t('elicitDecline')}
      </button>
      <button type="button" class="button" onClick={() => act('cancel')}>
        {t('elicitCancel')}
      </button>
    </div>
  );
}
