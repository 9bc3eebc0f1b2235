import { effect } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isBusy } from '../../core/session/select';
import type { BlockView } from '../../core/session/state';
import { codeOptions } from '../highlight/codeOptions';
import { MarkdownCommitter } from '../markdown/committer';
import { TokenRenderer } from '../markdown/render';
import { MarkdownStream } from '../markdown/stream';
import { usePage, type Page } from '../page';
import { OtherBlock } from './blocks';
import { ForAgentOnly } from './forAgentOnly';

function openStream(page: Page, container: HTMLElement): MarkdownStream {
  const renderer = new TokenRenderer(document, codeOptions(page), page.drawings);
  return new MarkdownStream(new MarkdownCommitter(container, page.parser, renderer));
}

/** Markdown of one text block of an entry; it streams without drawing this view again. */
function EntryText({ id, index }: { id: number; index: number }) {
  const page = usePage();
  const container = useRef<HTMLDivElement>(null);
  const stream = useRef<MarkdownStream>(undefined);
  const draw = (): void => {
    page.store.follow(`entry:${id}`);
    page.store.follow('turn');
    const entry = page.store.entry(id);
    const block = entry && 'blocks' in entry ? entry.blocks[index] : undefined;
    if (block?.type !== 'text' || !container.current) return;
    stream.current ??= openStream(page, container.current);
    stream.current.update(block.text, !isBusy(page.store.state));
  };
  // With the layout, so that the text of an entry is on screen together with the entry and with the end of its turn.
  useLayoutEffect(() => effect(draw), []);
  useEffect(() => () => stream.current?.dispose(), []);
  return <div class="markdown" dir="auto" ref={container} />;
}

/** The blocks of a message, texts as Markdown. */
export function EntryBlocks({ id, blocks }: { id: number; blocks: readonly BlockView[] }) {
  return (
    <>
      {blocks.map((block, index) => {
        const view =
          block.type === 'text' ? <EntryText id={id} index={index} /> : <OtherBlock block={block} />;
        return block.hidden ? (
          <ForAgentOnly key={index}>{view}</ForAgentOnly>
        ) : (
          <Fragment key={index}>{view}</Fragment>
        );
      })}
    </>
  );
}

/** One block, text as Markdown, that is drawn again as a whole when it changes. */
export function Block({ block }: { block: BlockView }) {
  const view = block.type === 'text' ? <MarkdownText text={block.text} /> : <OtherBlock block={block} />;
  return block.hidden ? <ForAgentOnly>{view}</ForAgentOnly> : view;
}

/** Markdown that is there as a whole; text that only grew is added to what is drawn. */
export function MarkdownText({ text }: { text: string }) {
  const page = usePage();
  const container = useRef<HTMLDivElement>(null);
  const drawn = useRef<{ text: string; stream: MarkdownStream }>(undefined);
  useLayoutEffect(() => {
    const host = container.current;
    if (!host) return;
    if (!drawn.current || !text.startsWith(drawn.current.text)) {
      drawn.current?.stream.dispose();
      host.replaceChildren();
      drawn.current = { text, stream: openStream(page, host) };
    }
    drawn.current.text = text;
    drawn.current.stream.update(text, true);
  }, [text]);
  useEffect(() => () => drawn.current?.stream.dispose(), []);
  return <div class="markdown" dir="auto" ref={container} />;
}
