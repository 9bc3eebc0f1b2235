import type { BlockView, ToolContent, ToolEntry } from '../../core/session/state';
import { useOpen, usePage } from '../page';
import { OtherBlock } from './blocks';
import { Diff, DiffCount } from './diff';
import { ForAgentOnly } from './forAgentOnly';
import { Chevron } from './icon';
import { MarkdownText } from './markdown';
import { TerminalOutput } from './terminalOutput';
import { visibleText } from '../../core/visibleText';

type DiffContent = Extract<ToolContent, { type: 'diff' }>;

function DiffPart({ content, named }: { content: DiffContent; named: boolean }) {
  const { t, act } = usePage();
  const { path, isNew, diff, ref } = content;
  return (
    <div class="part">
      {named && (
        <div class="part-head">
          <button
            type="button"
            class="mono cut place"
            title={path}
            onClick={() => void act({ type: 'openFile', path })}
          >
            {visibleText(path)}
          </button>
          {isNew && <span class="dim">{t('newFile')}</span>}
          <DiffCount diff={diff} />
        </div>
      )}
      <Diff diff={diff} />
      <div class="foot">
        <button type="button" onClick={() => void act({ type: 'openDiff', ref })}>
          {t('openDiff')}
        </button>
      </div>
    </div>
  );
}

function Part({ entry, content, named }: { entry: ToolEntry; content: ToolContent; named: boolean }) {
  if (content.type === 'diff') return <DiffPart content={content} named={named} />;
  if (content.type === 'terminal')
    return <TerminalOutput terminalId={content.terminalId} title={entry.title} />;
  const { block } = content;
  const view = <BlockPart entry={entry} block={block} />;
  return block.hidden ? (
    <div class="part padded">
      <ForAgentOnly>{view}</ForAgentOnly>
    </div>
  ) : (
    view
  );
}

function BlockPart({ entry, block }: { entry: ToolEntry; block: BlockView }) {
  if (block.type !== 'text')
    return (
      <div class="part padded">
        <OtherBlock block={block} />
      </div>
    );
  if (block.text.trim() === '') return null;
  if (entry.toolKind === 'execute')
    return (
      <pre class="raw" tabIndex={0} dir="ltr">
        {block.text}
      </pre>
    );
  return (
    <div class="part padded tall" tabIndex={0} role="group">
      <MarkdownText text={block.text} />
    </div>
  );
}

/** The inside of a card. */
export function ToolContents({ entry }: { entry: ToolEntry; version: number }) {
  const diffs = entry.content.filter((item) => item.type === 'diff');
  const named = diffs.length > 1 || diffs.some((diff) => !namesPath(entry.title, diff.path));
  return (
    <>
      {entry.content.map((content, index) => (
        <Part key={index} entry={entry} content={content} named={named} />
      ))}
    </>
  );
}

function namesPath(title: string, path: string): boolean {
  return title.includes(path.split(/[\\/]/).at(-1) ?? path);
}

/** Places that a call is about, to open. */
export function Locations({ entry }: { entry: ToolEntry; version: number }) {
  const { t, act } = usePage();
  const places = entry.locations.filter(
    ({ path, line }) =>
      line !== undefined || !entry.content.some((item) => item.type === 'diff' && item.path === path),
  );
  if (places.length === 0) return null;
  return (
    <div class="places">
      {places.map(({ path, line }, index) => {
        const name = `${path.split(/[\\/]/).at(-1) ?? path}${line === undefined ? '' : `:${line}`}`;
        return (
          <button
            key={index}
            type="button"
            class="place mono"
            title={path}
            aria-label={t('openFile', name)}
            onClick={() => void act({ type: 'openFile', path, ...(line === undefined ? {} : { line }) })}
          >
            {visibleText(name)}
          </button>
        );
      })}
    </div>
  );
}

/** What went into a call and what came out, as it was sent. */
export function RawDetails({ entry }: { entry: ToolEntry; version: number }) {
  const { t } = usePage();
  const [open, setOpen] = useOpen(`raw:${entry.id}`, false);
  const { rawInput, rawOutput } = entry;
  if (!rawInput && !rawOutput) return null;
  return (
    <div class="details">
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron open={open} />
        {t('details')}
      </button>
      {open && rawInput && (
        <>
          <div class="dim raw-label">{t('input')}</div>
          <pre class="raw" tabIndex={0} dir="ltr">
            {rawInput}
          </pre>
        </>
      )}
      {open && rawOutput && (
        <>
          <div class="dim raw-label">{t('output')}</div>
          <pre class="raw" tabIndex={0} dir="ltr">
            {rawOutput}
          </pre>
        </>
      )}
    </div>
  );
}
