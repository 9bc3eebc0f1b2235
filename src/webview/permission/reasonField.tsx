import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../page';

interface ReasonProps {
  send: (reason: string) => void;
  back: () => void;
}

/** Why something is rejected, in one line. Enter sends what was written and nothing else; Escape leads back and decides nothing. */
export function ReasonField({ send, back }: ReasonProps) {
  const { t } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  useLayoutEffect(() => field.current?.focus(), []);
  const reason = text.trim();
  const submit = (): void => {
    if (reason !== '') send(reason);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') back();
    else if (event.key === 'Enter' && event.target === field.current) submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="ask-extra ask-reason" role="group" aria-label={t('rejectWithReason')} onKeyDown={onKeyDown}>
      <input
        type="text"
        class="input"
        ref={field}
        dir="auto"
        placeholder={t('reasonPlaceholder')}
        aria-label={t('reasonLabel')}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="button" class="button" disabled={reason === ''} onClick={submit}>
        {t('send')}
      </button>
      <button type="button" class="button" onClick={back}>
        {t('back')}
      </button>
    </div>
  );
}
