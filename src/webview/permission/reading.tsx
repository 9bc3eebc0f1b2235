import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { PermissionView, ToolEntry } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { usePage, usePart } from '../page';
import { Icon } from '../transcript/icon';
import { Preview } from './preview';

/** px below the view that are only a margin. */
const MARGIN = 8;

/** Whether there is more to read below. */
function useMoreBelow(body: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): boolean {
  const [more, setMore] = useState(false);
  useEffect(() => {
    const [box, inside] = [body.current, content.current];
    if (!box || !inside) return;
    const look = (): void => setMore(box.scrollHeight - box.scrollTop - box.clientHeight > MARGIN);
    const resized = new ResizeObserver(look);
    resized.observe(box);
    resized.observe(inside);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);
  return more;
}

interface ReadingProps {
  entry: ToolEntry;
  permission: PermissionView;
  version: number;
}

/** What is to be read before an answer; where, and who asks, and that there is more, stay in view below it. */
export function Reading({ entry, permission, version }: ReadingProps) {
  const { t, store } = usePage();
  usePart('agent');
  const body = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const more = useMoreBelow(body, content);
  const { agent, cwd } = store.state;
  const folder = permission.cwd ?? (entry.toolKind === 'execute' ? cwd : undefined);
  const title = visibleText(agent.title);
  // Not what the card says by now: an update, or another question of the same call, may have changed it.
  const asked = permission.command === undefined ? entry : { ...entry, command: permission.command };
  return (
    <>
      <div class="ask-body" ref={body} tabIndex={0} role="group" aria-label={t('details')}>
        <div ref={content}>
          <Preview entry={asked} version={version} />
        </div>
      </div>
      <div class="ask-place dim">
        <span class="grow">{folder ? t('askedByIn', visibleText(folder), title) : t('askedBy', title)}</span>
        {more && (
          <button
            type="button"
            class="link"
            onClick={() => body.current?.scrollBy({ top: body.current.clientHeight - 2 * MARGIN })}
          >
            <Icon name="arrow-down" /> {t('askMore')}
          </button>
        )}
      </div>
    </>
  );
}
