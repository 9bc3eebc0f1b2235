import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../page';
import { Chevron } from './icon';

/** Something that the agent marked as meant for the model alone; it is drawn only when the person asks for it (CO-6). */
export function ForAgentOnly({ children }: { children: ComponentChildren }) {
  const { t } = usePage();
  const [open, setOpen] = useState(false);
  return (
    <div class="for-agent" data-audience="assistant">
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron open={open} />
        {t('forAgentOnly')}
      </button>
      {open && <div class="fold-body">{children}</div>}
    </div>
  );
}
