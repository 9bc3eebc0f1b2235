import { shownPath } from '../../core/files/shownPath';
import type { BlockView, ToolContent, ToolEntry } from '../../core/session/state';
import { plainOutput, splitExit } from '../../core/terminal/plainOutput';
import { useOpen, usePage } from '../page';
import { OtherBlock } from './blocks';
import { Diff, DiffCount } from './diff';
import { ForAgentOnly } from './forAgentOnly';
import { Chevron } from './icon';
import { MarkdownText } from './markdown';
import { TerminalOutput } from './terminalOutput';
import { commandLineOf, isOver } from './toolLook';
import { visibleText } from '../../core/visibleText';

type DiffContent = Extract<ToolContent, { type: 'diff' }>;

/** Lines of a diff that are shown without being asked for, and up to which it is shown whole. */
const SOME_LINES = 20;
const FEW_LINES = 26;

const countLines = ({ hunks }: DiffContent['diff']): number =>
  hunks.reduce((sum, { lines }) => sum + lines.length, 0);

function DiffPart({ content, named }: { content: DiffContent; named: boolean }) {
  const { t, act, store } = usePage();
  const { path, isNew, diff, ref } = content;
  const [all, setAll] = useOpen(`diff:${ref}`, false);
  const count = countLines(diff);
  const isLong = count > FEW_LINES;
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
            {visibleText(shownPath(path, store.state.cwd))}
          </button>
          {isNew && <span class="dim">{t('newFile')}</span>}
          <DiffCount diff={diff} />
        </div>
      )}
      <Diff diff={diff} {...(isLong && !all ? { most: SOME_LINES } : {})} />
      <div class="foot">
        <button type="button" onClick={() => void act({ type: 'openDiff', ref })}>
          {t('openDiff')}
        </button>
        {isLong && (
          <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('showFewerLines') : t('showAllLines', count)}
          </button>
        )}
      </div>
    </div>
  );
}

function Part({ entry, content, named }: { entry: ToolEntry; content: ToolContent; named: boolean }) {
  if (content.type === 'diff') return <DiffPart content={content} named={named} />;
  if (content.type === 'terminal')
    return <TerminalOutput terminalId={content.terminalId} title={entry.title} over={isOver(entry.status)} />;
  const { block } = content;
  if (entry.toolKind === 'execute' && block.type === 'text' && !block.hidden)
    return <CommandText id={entry.id} text={block.text} />;
  const view = <BlockPart entry={entry} block={block} />;
  return block.hidden ? (
    <div class="part padded">
      <ForAgentOnly>{view}</ForAgentOnly>
    </div>
  ) : (
    view
  );
}

/** Lines of a command's text that are shown without being asked for: its end, as in a terminal. */
const TAIL_LINES = 12;

/** The last lines of a text, and how many it has; an empty one at its end does not count. */
export function tailOf(text: string, most: number): { tail: string; count: number } {
  // A search from before the beginning would look at the first character.
  const feedBefore = (at: number): number => (at === 0 ? -1 : text.lastIndexOf('\n', at - 1));
  let count = 1;
  let start = 0;
  let at = feedBefore(text.endsWith('\n') ? text.length - 1 : text.length);
  for (; at >= 0; at = feedBefore(at)) {
    if (count === most) start = at + 1;
    count++;
  }
  return { tail: text.slice(start), count };
}

/** What a command printed, and how it ended, from an agent that sends it as text. */
function CommandText({ id, text: sent }: { id: number; text: string }) {
  const { t } = usePage();
  const [all, setAll] = useOpen(`output:${id}`, false);
  const { text, code } = splitExit(sent);
  const { tail, count } = tailOf(text, TAIL_LINES);
  return (
    <>
      {count > TAIL_LINES && (
        <button type="button" class="term-more" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('showFewerLines') : t('showAllLines', count)}
        </button>
      )}
      {text.trim() !== '' && (
        <pre class="raw" tabIndex={0} dir="ltr">
          {plainOutput(all ? text : tail)}
        </pre>
      )}
      {code !== undefined && (
        <div class="foot">
          <span class={code === 0 ? 'dim nums' : 'bad nums'}>{t('exitCode', code)}</span>
        </div>
      )}
    </>
  );
}

function Group({ entry, group, named }: { entry: ToolEntry; group: ToolContent[]; named: boolean }) {
  if (group.length === 1 && group[0]) return <Part entry={entry} content={group[0]} named={named} />;
  return (
    <div class="part padded chips">
      {group.map((item, index) =>
        item.type === 'block' && item.block.type !== 'text' ? (
          <OtherBlock key={index} block={item.block} />
        ) : null,
      )}
    </div>
  );
}

/** A content block in a card, as plain as its kind allows. */
export function BlockPart({ entry, block }: { entry: ToolEntry; block: BlockView }) {
  const { t } = usePage();
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
    <div class="part padded tall" tabIndex={0} role="group" aria-label={t('output')}>
      <MarkdownText text={block.text} />
    </div>
  );
}

/** Pictures, files and the like that follow each other stand side by side; each other piece is a group of its own. */
export function groupContent(content: readonly ToolContent[]): ToolContent[][] {
  const groups: ToolContent[][] = [];
  for (const item of content) {
    const last = groups.at(-1);
    if (last?.[0] && isSmall(last[0]) && isSmall(item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

const isSmall = (item: ToolContent): boolean =>
  item.type === 'block' && item.block.type !== 'text' && !item.block.hidden;

/** The inside of a card. */
export function ToolContents({ entry }: { entry: ToolEntry; version: number }) {
  const diffs = entry.content.filter((item) => item.type === 'diff');
  const named = diffs.length > 1 || diffs.some((diff) => !namesPath(entry.title, diff.path));
  return (
    <>
      {commandLineOf(entry).map((line) => (
        <div key="command" class="term-command mono" dir="ltr">
          {line}
        </div>
      ))}
      {groupContent(entry.content).map((group, index) => (
        <Group key={index} entry={entry} group={group} named={named} />
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
