import { useRef } from 'preact/hooks';
import type { FormView } from '../../core/elicitation/form';
import type { FormAnswers } from '../../core/elicitation/validate';
import type { ElicitationAction, ElicitationEntry } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import { ElicitationActions, ElicitationCard } from './elicitationCard';
import { FormField } from './formField';
import { fillingOf } from './formFilling';
import { leaveQuestion, useReadyToAnswer } from './inView';

/** Puts the focus on a control, or on the first one of a group. */
function focusControl(id: string): void {
  const control = document.getElementById(id);
  const first = control?.matches('[role="group"]') ? control.querySelector('input') : control;
  first?.focus();
}

/** Gives the way to answer, which does nothing while an answer is on its way. */
export function useAnswer(
  requestId: string,
): (action: ElicitationAction, content?: FormAnswers) => Promise<boolean> {
  const { act } = usePage();
  const sending = useRef(false);
  return async (action, content) => {
    if (sending.current) return false;
    sending.current = true;
    const taken = await act({
      type: 'answerElicitation',
      requestId,
      action,
      ...(content ? { content } : {}),
    });
    sending.current = false;
    return taken;
  };
}

/** A form to fill in. There is no `<form>`, for Enter in a field must not send it. */
export function ElicitationForm({ entry, form }: { entry: ElicitationEntry; form: FormView }) {
  const page = usePage();
  const { requestId } = entry;
  const card = useRef<HTMLDivElement>(null);
  const ready = useReadyToAnswer(card, requestId);
  const answer = useAnswer(requestId);
  const filling = fillingOf(page, requestId, form);
  const idOf = (name: string): string =>
    `form-${entry.id}-${form.fields.findIndex((field) => field.name === name)}`;
  const act = (action: ElicitationAction): void => {
    const result = action === 'accept' ? filling.submit() : { answers: undefined };
    if ('wrong' in result) return focusControl(idOf(result.wrong.name));
    leaveQuestion(card);
    void answer(action, result.answers);
  };
  return (
    <ElicitationCard entry={entry} card={card}>
      {(form.title ?? form.description) !== undefined && (
        <div class="form-about">
          {form.title !== undefined && <div class="form-title">{visibleText(form.title)}</div>}
          {form.description !== undefined && <div class="dim plain">{visibleText(form.description)}</div>}
        </div>
      )}
      <div class="fields">
        {form.fields.map((field) => (
          <FormField key={field.name} id={idOf(field.name)} field={field} filling={filling} />
        ))}
      </div>
      <ElicitationActions accept={page.t('elicitSubmit')} ready={ready} act={act} />
    </ElicitationCard>
  );
}
