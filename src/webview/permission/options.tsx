import type { PermissionOptionView } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';

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
      <span dir="auto">{visibleText(option.name)}</span>
    </button>
  );
}

interface OptionsProps {
  options: readonly PermissionOptionView[];
  ready: boolean;
  choose: (option: PermissionOptionView) => void;
}

/** The answers that the agent offers, in its order and none chosen (PE-2, PE-11); where it offers none, the turn can be stopped (PE-10). */
export function Options({ options, ready, choose }: OptionsProps) {
  const { t, act } = usePage();
  if (options.length === 0)
    return (
      <div class="ask-none">
        <span class="grow">{t('askNoOptions')}</span>
        <button type="button" class="button small" onClick={() => void act({ type: 'cancelTurn' })}>
          {t('askStopTurn')}
        </button>
      </div>
    );
  return (
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
  );
}

function moveFocus(card: HTMLElement, step: number): void {
  const buttons = [...card.querySelectorAll<HTMLElement>('[data-option-id]')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : buttons.length - 1) : (at + step + buttons.length) % buttons.length;
  buttons[next]?.focus();
}

const isIn = (event: Event, selector: string): boolean =>
  event.target instanceof Element && event.target.closest(selector) !== null;

/**
 * Numbers answer, arrows go through the answers; only while the focus is in the card, and not in a field of it. What is to be read keeps
 * the arrows for scrolling.
 */
export function answerByKey(
  event: KeyboardEvent & { currentTarget: HTMLElement },
  answer: (index: number) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  if (isIn(event, '.ask-extra')) return;
  const reads = isIn(event, '.ask-body');
  if (/^[1-9]$/.test(event.key)) answer(Number(event.key) - 1);
  else if (event.key === 'ArrowDown' && !reads) moveFocus(event.currentTarget, 1);
  else if (event.key === 'ArrowUp' && !reads) moveFocus(event.currentTarget, -1);
  else return;
  event.preventDefault();
}
