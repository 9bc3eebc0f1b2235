import { useEffect, useState } from 'preact/hooks';
import { droppedUris, FILE_TYPES, MAX_DROPPED } from '../../core/chat/uriList';
import { usePage, type Page } from '../page';
import { Icon } from '../transcript/icon';
import { addFiles, leftOut } from './addFiles';

/** True for a drag that may bring files: what they are can be read only when they are dropped. */
function bringsFiles({ dataTransfer }: DragEvent): boolean {
  const types = dataTransfer?.types ?? [];
  return types.includes('Files') || FILE_TYPES.some((type) => types.includes(type));
}

/** Attaches what was dropped: by its place where that is told, else by its content. */
async function attachDropped(page: Page, data: DataTransfer): Promise<void> {
  const uris = droppedUris((type) => data.getData(type));
  const files = [...data.files];
  page.focusComposer.value++;
  if (uris.length === 0) return files.length > 0 ? addFiles(page, files) : undefined;
  page.problem.value = null;
  try {
    await page.channel.takeDropped(page.key.peek(), uris.slice(0, MAX_DROPPED));
    const more = uris.length - MAX_DROPPED;
    if (more > 0) page.problem.value = leftOut(page, more, MAX_DROPPED);
  } catch (error) {
    page.problem.value = error instanceof Error ? error.message : String(error);
  }
}

/** Follows drags over the page, but for those that began in it; tells whether there is one. */
function followDrags(page: Page, tell: (over: boolean) => void): () => void {
  let isOwn = false;
  const onDrag = (event: DragEvent): void => {
    if (isOwn || !event.dataTransfer || !bringsFiles(event)) return;
    event.preventDefault();
    // VS Code would take the drag for itself while Shift is not held.
    event.stopPropagation();
    event.dataTransfer.dropEffect = 'copy';
    tell(true);
  };
  const listeners: [string, (event: DragEvent) => void][] = [
    ['dragstart', () => (isOwn = true)],
    ['dragend', () => (isOwn = false)],
    ['dragenter', onDrag],
    ['dragover', onDrag],
    ['dragleave', (event) => !event.relatedTarget && tell(false)],
    [
      'drop',
      (event) => {
        tell(false);
        if (isOwn || !event.dataTransfer || !bringsFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        void attachDropped(page, event.dataTransfer);
      },
    ],
  ];
  const all = listeners as [string, (event: Event) => void][];
  for (const [type, listener] of all) document.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of all) document.removeEventListener(type, listener);
  };
}

/** Takes files that are dropped anywhere on the page, and shows so while they are dragged over it. By keyboard it is `@`. */
export function DropTarget() {
  const page = usePage();
  const [over, setOver] = useState(false);
  useEffect(() => followDrags(page, setOver), [page]);
  if (!over) return null;
  return (
    <div class="drop" data-parley="drop" aria-hidden="true">
      <Icon name="attach" />
      {page.t('dropHere')}
    </div>
  );
}
