import type { Attachment } from '../../core/chat/attachment';
import { visibleText } from '../../core/visibleText';
import { withAttachments } from '../attachments';
import { usePage, type Page } from '../page';
import { Icon, IconButton } from '../transcript/icon';
import { base64Length, imagesIn, MAX_IMAGE_DATA, readImage } from './pastedImages';

/** The name of an attachment in a chip, with its lines. */
function attachmentName(attachment: Attachment): string {
  const { name } = attachment;
  if (attachment.kind !== 'selection') return name;
  const { fromLine, toLine } = attachment;
  return fromLine === toLine ? `${name}:${fromLine}` : `${name}:${fromLine}-${toLine}`;
}

const ICONS = { file: 'file', selection: 'selection', image: 'file-media', audio: 'unmute' } as const;

function Picture({ attachment }: { attachment: Attachment }) {
  if (attachment.kind !== 'image') return <Icon name={ICONS[attachment.kind]} />;
  return <img class="thumb" src={`data:${attachment.mimeType};base64,${attachment.data}`} alt="" />;
}

function Attached({ attachment, remove }: { attachment: Attachment; remove: () => void }) {
  const { t, act } = usePage();
  const name = visibleText(attachmentName(attachment));
  const label = (
    <>
      <Picture attachment={attachment} />
      <span class="cut">{name}</span>
    </>
  );
  return (
    <li class="chip attached" data-attachment={attachment.kind}>
      {'path' in attachment ? (
        <button
          type="button"
          class="attached-name"
          title={attachment.path}
          aria-label={t('openFile', name)}
          onClick={() => {
            const { kind, path } = attachment;
            void act({
              type: 'openFile',
              path,
              ...(kind === 'selection' ? { line: attachment.fromLine } : {}),
            });
          }}
        >
          {label}
        </button>
      ) : (
        <span class="attached-name" title={attachment.name}>
          {label}
        </span>
      )}
      <IconButton icon="close" label={t('removeAttachment', name)} onPress={remove} />
    </li>
  );
}

/** What is attached to the draft; nothing is drawn where there is nothing. */
export function Attachments() {
  const page = usePage();
  const list = page.attachments.value;
  if (list.length === 0) return null;
  const remove = (attachment: Attachment): void => {
    page.setAttachments(page.attachments.peek().filter((item) => item !== attachment));
    page.focusComposer.value++;
  };
  return (
    <ul class="chips attachments" data-parley="attachments" aria-label={page.t('attachmentsLabel')}>
      {list.map((attachment, index) => (
        <Attached key={index} attachment={attachment} remove={() => remove(attachment)} />
      ))}
    </ul>
  );
}

/** Attaches the images of a paste where the agent takes images (PT-3); true if the paste is dealt with. */
export function pasteImages(page: Page, event: ClipboardEvent): boolean {
  const files = page.store.state.abilities.image ? imagesIn(event.clipboardData) : [];
  if (files.length === 0) return false;
  void attachImages(page, files);
  return true;
}

async function attachImages(page: Page, files: readonly File[]): Promise<void> {
  const key = page.key.peek();
  const small = files.filter((file) => base64Length(file.size) <= MAX_IMAGE_DATA);
  page.problem.value = small.length < files.length ? page.t('imageTooLarge') : null;
  try {
    const images = await Promise.all(small.map((file) => readImage(file, page.t('image'))));
    // The person may have turned to another session meanwhile, which the paste was not for.
    if (page.key.peek() === key) page.setAttachments(withAttachments(page.attachments.peek(), images));
  } catch (error) {
    page.problem.value = error instanceof Error ? error.message : String(error);
  }
}
