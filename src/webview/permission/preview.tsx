import { shownPath } from '../../core/files/shownPath';
import type { BlockView, ToolContent, ToolEntry } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import { splitForCut } from '../transcript/cut';
import { Diff, DiffCount } from '../transcript/diff';
import { Cut } from '../transcript/icon';
import { addressOf } from '../transcript/question';
import { BlockPart, RawDetails } from '../transcript/toolContent';

type DiffContent = Extract<ToolContent, { type: 'diff' }>;

function FileDiff({ content }: { content: DiffContent }) {
  const { t, act, store } = usePage();
  const { path, isNew, diff, ref } = content;
  const whole = visibleText(path);
  return (
    <div class="ask-file" data-path={path}>
      <div class="part-head">
        <button
          type="button"
          class="mono place"
          aria-label={t('openFile', whole)}
          onClick={() => void act({ type: 'openFile', path })}
        >
          <Cut parts={splitForCut(visibleText(shownPath(path, store.state.cwd)))} title={whole} />
        </button>
        {isNew && <span class="dim">{t('newFile')}</span>}
        <DiffCount diff={diff} />
        <button type="button" class="link" onClick={() => void act({ type: 'openDiff', ref })}>
          {t('openDiff')}
        </button>
      </div>
      <Diff diff={diff} />
    </div>
  );
}

function Subject({ text }: { text: string }) {
  return (
    <pre class="ask-subject" dir="ltr">
      {visibleText(text)}
    </pre>
  );
}

/** Files that are named beside those with a diff, whole: the end of a path is not all that matters. */
function Paths({ entry }: { entry: ToolEntry; version: number }) {
  const { t, act } = usePage();
  const shown = new Set(entry.content.map((item) => (item.type === 'diff' ? item.path : undefined)));
  const places = entry.locations.filter(({ path }) => !shown.has(path));
  return (
    <>
      {places.map(({ path, line }, index) => {
        const text = visibleText(line === undefined ? path : `${path}:${line}`);
        return (
          <button
            key={index}
            type="button"
            class="ask-path mono link"
            dir="ltr"
            aria-label={t('openFile', text)}
            onClick={() => void act({ type: 'openFile', path, ...(line === undefined ? {} : { line }) })}
          >
            {text}
          </button>
        );
      })}
    </>
  );
}

const isShown = (block: BlockView): boolean =>
  !block.hidden && (block.type !== 'text' || block.text.trim() !== '');

interface Known {
  command: string;
  address: string;
  diffs: DiffContent[];
  blocks: BlockView[];
}

function knownOf(entry: ToolEntry): Known {
  return {
    command: entry.command ?? '',
    address: addressOf(entry) ?? '',
    diffs: entry.content.filter((item) => item.type === 'diff'),
    blocks: entry.content.flatMap((item) =>
      item.type === 'block' && isShown(item.block) ? [item.block] : [],
    ),
  };
}

/** The title, where it says what the rest does not. */
function titleBeside(entry: ToolEntry, { command, address, diffs }: Known): string {
  const title = entry.title.trim();
  const said = [
    command,
    address,
    ...diffs.map(({ path }) => path),
    ...entry.locations.map(({ path }) => path),
  ];
  return said.some((text) => text.includes(title.replace(/^`([^`]+)`$/, '$1'))) ? '' : visibleText(title);
}

/** All that the agent sent about what it asks for: command, address, files, changes, words, and what it sent on demand (PE-6). */
export function Preview({ entry, version }: { entry: ToolEntry; version: number }) {
  const { t } = usePage();
  const known = knownOf(entry);
  const { command, address, diffs, blocks } = known;
  const title = titleBeside(entry, known);
  const bare = !command && !address && diffs.length + blocks.length + entry.locations.length === 0;
  return (
    <>
      {title && (
        <div class="ask-what" dir="auto">
          {title}
        </div>
      )}
      {command && <Subject text={command} />}
      {address && <Subject text={address} />}
      <Paths entry={entry} version={version} />
      {diffs.map((content, index) => (
        <FileDiff key={index} content={content} />
      ))}
      {blocks.map((block, index) => (
        <BlockPart key={index} entry={entry} block={block} />
      ))}
      {bare && entry.rawInput && <Subject text={entry.rawInput} />}
      {bare && !entry.rawInput && <div class="ask-none dim">{t('askNoDetails')}</div>}
      {!bare && <RawDetails entry={entry} version={version} />}
    </>
  );
}
