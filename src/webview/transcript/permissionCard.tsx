import { useRef } from 'preact/hooks';
import type { PermissionOptionView, PermissionView, ToolEntry } from '../../core/session/state';
import { useEntry, usePage, usePart } from '../page';
import { Icon } from './icon';
import { leaveQuestion, useReadyToAnswer } from './inView';
import { outcomeText, questionOf, subjectOf } from './question';
import { visibleText } from '../../core/visibleText';

function Option(props: { option: PermissionOptionView; number: number; ready: boolean; choose: () => void }) {
  const { option, number, ready, choose } = props;
  return (
    <button
      type="button"
      class="option"
      data-option-id={option.optionId}
      data-option-kind={option.kind}
      data-key={number <= 9 ? number : undefined}
      data-ready={ready ? 'true' : undefined}
      aria-disabled={!ready}
      aria-keyshortcuts={number <= 9 ? String(number) : undefined}
      onClick={choose}
    >
      {option.name}
    </button>
  );
}

function moveFocus(card: HTMLElement, step: number): void {
  const buttons = [...card.querySelectorAll<HTMLElement>('[data-option-id]')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : buttons.length - 1) : (at + step + buttons.length) % buttons.length;
  buttons[next]?.focus();
}

/** Numbers answer, arrows go through the answers; only while the focus is in the card. */
function answerByKey(
  event: KeyboardEvent & { currentTarget: HTMLElement },
  answer: (index: number) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (/^[1-9]$/.test(event.key)) answer(Number(event.key) - 1);
  else if (event.key === 'ArrowDown') moveFocus(event.currentTarget, 1);
  else if (event.key === 'ArrowUp') moveFocus(event.currentTarget, -1);
  else return;
  event.preventDefault();
}

function Question({ entry, permission }: { entry: ToolEntry; permission: PermissionView; version: number }) {
  const { t, act, store } = usePage();
  usePart('agent');
  const card = useRef<HTMLDivElement>(null);
  const ready = useReadyToAnswer(card, permission.requestId);
  const { requestId, options } = permission;
  const choose = (option: PermissionOptionView | undefined): void => {
    if (!ready || !option) return;
    leaveQuestion(card);
    void act({ type: 'answerPermission', requestId, optionId: option.optionId });
  };
  const { agent, cwd } = store.state;
  const subject = visibleText(subjectOf(entry));
  const title = visibleText(entry.title);
  // With content the card has its own head, which says it.
  const what = entry.content.length === 0 && !subject.includes(title) && title;
  const place =
    cwd && entry.toolKind === 'execute'
      ? t('askedByIn', visibleText(cwd), agent.title)
      : t('askedBy', agent.title);
  return (
    <div
      class="ask"
      data-permission={requestId}
      ref={card}
      tabIndex={-1}
      role="group"
      aria-label={t(questionOf(entry))}
      onKeyDown={(event) => answerByKey(event, (index) => choose(options[index]))}
    >
      <div class="ask-title">
        <Icon name="shield" />
        {t(questionOf(entry))}
      </div>
      {what && <div class="ask-what">{what}</div>}
      <pre class="ask-subject" dir="ltr" tabIndex={0}>
        {subject}
      </pre>
      <div class="ask-place dim">{place}</div>
      <div class="options" role="group" aria-label={t('optionsLabel')}>
        {options.map((option, index) => (
          <Option
            key={option.optionId}
            option={option}
            number={index + 1}
            ready={ready}
            choose={() => choose(option)}
          />
        ))}
      </div>
    </div>
  );
}

function Answered({ outcome }: { outcome: NonNullable<PermissionView['outcome']> }) {
  const { t } = usePage();
  const allowed = outcome !== 'cancelled' && outcome.kind.startsWith('allow');
  return (
    <div class="answered dim">
      <Icon name={allowed ? 'check' : 'circle-slash'} />
      <span class="cut">{outcomeText(outcome, t)}</span>
    </div>
  );
}

/** The questions of a call: open ones to answer, answered ones as a line. */
export function Permissions({ id }: { id: number }) {
  const entry = useEntry(id, 'tool');
  if (!entry) return null;
  return (
    <>
      {entry.permissions.map((permission) =>
        permission.outcome ? (
          <Answered key={permission.requestId} outcome={permission.outcome} />
        ) : (
          <Question
            key={permission.requestId}
            entry={entry}
            permission={permission}
            version={entry.version}
          />
        ),
      )}
    </>
  );
}
