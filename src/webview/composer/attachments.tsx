import type { Attachment } from '../../core/chat/attachment';
import type { Intent } from '../../core/chat/protocol';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import { Icon, IconButton } from '../transcript/icon';

/** The name of an attachment in a chip, with its lines. */
function attachmentName(attachment: Attachment): string {
  const { name } = attachment;
  if (attachment.kind !== 'selection') return name;
  const { fromLine, toLine } = attachment;
  return fromLine === toLine ? `${name}:${fromLine}` : `${name}:${fromLine}-${toLine}`;
}

const ICONS = {
  file: 'file',
  folder: 'folder',
  text: 'note',
  selection: 'selection',
  image: 'file-media',
  audio: 'unmute',
} as const;

function Picture({ attachment }: { attachment: Attachment }) {
  if (attachment.kind !== 'image') return <Icon name={ICONS[attachment.kind]} />;
  return <img class="thumb" src={`data:${attachment.mimeType};base64,${attachment.data}`} alt="" />;
}

/** What a press on a chip opens; undefined where there is nothing to open. */
function opened(attachment: Attachment): Intent | undefined {
  switch (attachment.kind) {
    case 'file':
    case 'folder':
      return { type: 'openFile', path: attachment.path };
    case 'selection':
      return { type: 'openFile', path: attachment.path, line: attachment.fromLine };
    case 'text':
      return { type: 'openText', text: attachment.text };
    case 'image':
      return { type: 'openImage', data: attachment.data };
    case 'audio':
      return undefined;
  }
}

function Attached({ attachment, remove }: { attachment: Attachment; remove: () => void }) {
  const { t, act } = usePage();
  const name = visibleText(attachmentName(attachment));
  const title = visibleText('path' in attachment ? attachment.path : attachment.name);
  const intent = opened(attachment);
  const label = (
    <>
      <Picture attachment={attachment} />
      <span class="cut">{name}</span>
    </>
  );
  return (
    <li class="chip attached" data-attachment={attachment.kind}>
      {intent ? (
        <button
          type="button"
          class="attached-name"
          title={title}
          aria-label={t(attachment.kind === 'image' ? 'openImage' : 'openFile', name)}
          onClick={() => void act(intent)}
        >
          {label}
        </button>
      ) : (
        <span class="attached-name" title={title}>
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
