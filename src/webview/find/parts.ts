import type { BlockView, Entry, TerminalView, ToolContent, ToolEntry } from '../../core/session/state';
import { plainOutput, splitExit } from '../../core/terminal/plainOutput';
import { visibleText } from '../../core/visibleText';
import { nameOf } from '../transcript/blocks';
import { commandLineOf } from '../transcript/toolLook';

/** Text of an entry that is shown in one way. */
export interface FindPart {
  /** Selects the elements that show the texts, inside that of the entry. */
  where: string;
  /** In the order of the page; no match goes from one to the next. */
  texts: () => readonly string[];
  /** Of a Markdown text: what it is made from. */
  source?: string;
  /** Keys of what must be open for the texts to be drawn. */
  folds: readonly string[];
}

/** What the parts of an entry are made with. */
export interface PartSource {
  /** What a Markdown text shows, by blocks. */
  markdown: (block: { text: string }) => readonly string[];
  terminal: (id: string) => TerminalView | undefined;
}

const plain = (where: string, texts: readonly string[], folds: readonly string[] = []): FindPart => ({
  where,
  texts: () => texts,
  folds,
});

const list = (text: string | undefined): string[] => (text ? [text] : []);

/** Text that is shown as Markdown, and the names of what was attached. What is for the agent alone is not looked at. */
function blockParts(
  blocks: readonly BlockView[],
  folds: readonly string[],
  { markdown }: PartSource,
  where = '.markdown',
): FindPart[] {
  return blocks.flatMap((block) => {
    if (block.hidden) return [];
    if (block.type === 'text') return [{ where, texts: () => markdown(block), source: block.text, folds }];
    if (block.type === 'link') return [plain('.chip', [visibleText(block.name)], folds)];
    return block.type === 'resource' ? [plain('.chip', [visibleText(nameOf(block.uri))], folds)] : [];
  });
}

const linesOf = ({ lines }: TerminalView): string[] =>
  lines.map((line) => line.map((run) => run.text).join(''));

function contentParts(entry: ToolEntry, content: ToolContent, source: PartSource): FindPart[] {
  const folds = [`tool:${entry.id}`];
  if (content.type === 'terminal') {
    const terminal = source.terminal(content.terminalId);
    const all = [...folds, `terminal:${content.terminalId}`];
    return terminal ? [plain('.term-line', linesOf(terminal), all)] : [];
  }
  if (content.type === 'diff') {
    const lines = content.diff.hunks.flatMap((hunk) => hunk.lines);
    const texts = lines.map(({ text }) => visibleText(text.replace(/\r$/, '')));
    return [plain('.diff-line .text', texts, [...folds, `diff:${content.ref}`])];
  }
  const { block } = content;
  if (block.type === 'text' && !block.hidden && entry.toolKind === 'execute')
    return [plain('.tool-body > pre.raw', outputOf(block.text), [...folds, `output:${entry.id}`])];
  return blockParts([block], folds, source, '.tool-body .markdown');
}

/** What a card shows of the text of a command. */
function outputOf(text: string): string[] {
  const shown = plainOutput(splitExit(text).text);
  return shown.trim() === '' ? [] : [shown];
}

function toolParts(entry: ToolEntry, source: PartSource): FindPart[] {
  const { id, title, content, rawInput, rawOutput } = entry;
  const shown = entry.toolKind === 'execute' ? title.replace(/^`([^`]+)`$/, '$1') : title;
  return [
    plain('.tool-title', [visibleText(shown || entry.command || entry.name || '').replace(/\s*\n\s*/g, ' ')]),
    plain('.tool-body > .term-command', commandLineOf(entry), [`tool:${id}`]),
    ...content.flatMap((item) => contentParts(entry, item, source)),
    plain('.details pre.raw', [...list(rawInput), ...list(rawOutput)], [`tool:${id}`, `raw:${id}`]),
  ];
}

/** The texts of an entry that can be found, in the order of the page. */
export function partsOf(entry: Entry, source: PartSource): FindPart[] {
  switch (entry.kind) {
    case 'user':
      return entry.blocks.flatMap((block) =>
        block.type === 'text' && !block.hidden
          ? [plain('.me-content > .plain', [block.text])]
          : blockParts([block], [], source),
      );
    case 'synthetic':
      return entry.blocks.flatMap((block) =>
        block.type === 'text' && !block.hidden
          ? [plain('.synthetic .plain', [block.text], [`synthetic:${entry.id}`])]
          : blockParts([block], [`synthetic:${entry.id}`], source),
      );
    case 'agent':
      return blockParts(entry.blocks, [], source);
    case 'thought':
      return blockParts(entry.blocks, [`thought:${entry.id}`], source);
    case 'tool':
      return toolParts(entry, source);
    case 'plan': {
      const items = entry.items.map(({ content }) => content.replaceAll('`', ''));
      return [plain('.plan-items li', items, [`plan:${entry.id}`])];
    }
    case 'notice':
      return [plain('.notice > .grow', [entry.title, ...list(entry.description)])];
    case 'error':
      return [
        plain('.failure-head .plain', [entry.error.message]),
        plain('pre.raw', list(entry.error.detail), [`error:${entry.id}`]),
      ];
    case 'end':
      return [plain('.end-text', list(entry.taskComplete))];
    case 'compaction':
      return [
        plain('.divider-text', list(entry.error)),
        ...blockParts(entry.summary, [`compaction:${entry.id}`], source),
      ];
    case 'elicitation':
      return [plain('.elicitation', list(visibleText(entry.message)))];
  }
}
