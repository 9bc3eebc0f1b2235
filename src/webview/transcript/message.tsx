import { useComputed } from '@preact/signals';
import { textOf } from '../../core/session/select';
import type { BlockView, UserEntry } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { withAttachments } from '../attachments';
import { addToDraft } from '../composer/draft';
import { useEntry, usePage } from '../page';
import { OtherBlock } from './blocks';
import { ForAgentOnly } from './forAgentOnly';
import { copyFrom } from './copy';
import { Icon } from './icon';
import { EntryBlocks } from './markdown';
import { attachmentsOf } from './resend';

type OtherView = Exclude<BlockView, { type: 'text' }>;

const isOther = (block: BlockView): block is OtherView => block.type !== 'text' && !block.hidden;

/** Copies a message as it was sent: that of an agent as Markdown. What is meant for the agent alone is left out. */
function CopyMessage({ id }: { id: number }) {
  const page = usePage();
  const { t, store } = page;
  const copy = (button: HTMLElement): void => {
    const entry = store.entry(id);
    if (!entry || !('blocks' in entry)) return;
    copyFrom(page, button, textOf(entry.blocks.filter((block) => !block.hidden)));
  };
  return (
    <div class="message-tools">
      <button
        type="button"
        class="icon"
        aria-label={t('copyMessage')}
        title={t('copyMessage')}
        onClick={(event) => copy(event.currentTarget)}
      >
        <Icon name="copy" />
      </button>
    </div>
  );
}

function Text({ text }: { text: string }) {
  return (
    <div class="plain" dir="auto">
      {text}
    </div>
  );
}

/** Says that the agent refused the message and does not remember it, and gives it back for another try (PT-9). */
function Dropped({ entry }: { entry: UserEntry }) {
  const page = usePage();
  const { t, focusComposer } = page;
  const resend = (): void => {
    addToDraft(page, textOf(entry.blocks));
    const attachments = attachmentsOf(entry.blocks);
    if (attachments.length > 0) page.setAttachments(withAttachments(page.attachments.peek(), attachments));
    focusComposer.value++;
  };
  return (
    <div class="dropped-note">
      <Icon name="circle-slash" />
      <span class="grow">{t('notRemembered')}</span>
      <button type="button" class="button small" onClick={resend}>
        {t('editAndResend')}
      </button>
    </div>
  );
}

/** What the person asked: text as it was typed, and what was attached. */
export function UserMessage({ id }: { id: number }) {
  const { t } = usePage();
  const entry = useEntry(id, 'user');
  if (!entry) return null;
  const others = entry.blocks.filter(isOther);
  const hidden = entry.blocks.filter((block) => block.hidden);
  return (
    <div
      class="entry me"
      data-entry="user"
      data-entry-id={id}
      data-dropped={entry.dropped ? '' : undefined}
      role="group"
      aria-label={t('transcriptYou')}
    >
      <CopyMessage id={id} />
      <div class="me-content">
        {entry.blocks.map((block, index) =>
          block.type === 'text' && !block.hidden ? <Text key={index} text={block.text} /> : null,
        )}
        {others.length > 0 && (
          <div class="chips">
            {others.map((block, index) => (
              <OtherBlock key={index} block={block} />
            ))}
          </div>
        )}
        {hidden.length > 0 && (
          <ForAgentOnly>
            {hidden.map((block, index) =>
              block.type === 'text' ? (
                <Text key={index} text={block.text} />
              ) : (
                <OtherBlock key={index} block={block} />
              ),
            )}
          </ForAgentOnly>
        )}
      </div>
      {entry.dropped && <Dropped entry={entry} />}
    </div>
  );
}

/** What the agent says. Drawn again only when a block is added; text streams below. */
export function AgentMessage({ id }: { id: number }) {
  const { store } = usePage();
  const count = useComputed(() => {
    store.follow(`entry:${id}`);
    const entry = store.entry(id);
    return entry?.kind === 'agent' ? entry.blocks.length : 0;
  });
  const entry = store.entry(id);
  if (count.value === 0 || entry?.kind !== 'agent') return null;
  return (
    <div
      class="entry say"
      data-entry="agent"
      data-entry-id={id}
      role="group"
      aria-label={visibleText(store.state.agent.title)}
    >
      <CopyMessage id={id} />
      <EntryBlocks id={id} blocks={entry.blocks.slice()} />
    </div>
  );
}
