import { format, type PageString, type PageStrings } from '../chat/strings';
import { byId } from './byId';
import { textOf } from './select';
import { exhaustedTitle, syntheticTitle } from './synthetic';
import { titleOf } from './title';
import type {
  BlockView,
  DiffView,
  Entry,
  PermissionView,
  PlanItem,
  SessionState,
  TerminalView,
  ToolContent,
  ToolEntry,
  ToolStatus,
} from './state';

/** Lines without the empty ones at the end. */
const trimmed = (text: string): string => text.replace(/\s+$/, '');

const STATUS: Readonly<Record<ToolStatus, PageString>> = {
  pending: 'toolPending',
  waiting: 'toolWaiting',
  in_progress: 'toolInProgress',
  completed: 'toolCompleted',
  failed: 'toolFailed',
  rejected: 'toolRejected',
  cancelled: 'toolCancelled',
  interrupted: 'toolInterrupted',
};

/** A code block whose fence is longer than any run of backticks in it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`;
}

/** Text on one line in which nothing is markup. */
export function literal(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~&!]/g, '\\$&')
    .replace(/^([-+]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** Text between backticks, more of them than it holds in a row. */
export function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${ticks}${pad}${text.replace(/\s+/g, ' ')}${pad}${ticks}`;
}

const quoted = (text: string): string =>
  trimmed(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

function diffText({ hunks }: DiffView): string {
  return hunks
    .map(({ oldStart, newStart, lines }) => {
      const without = (sign: string): number => lines.filter((line) => line.sign !== sign).length;
      const head = `@@ -${oldStart},${without('+')} +${newStart},${without('-')} @@`;
      return [head, ...lines.map(({ sign, text }) => sign + text.replace(/\r$/, ''))].join('\n');
    })
    .join('\n');
}

function screenText({ lines }: TerminalView): string {
  return trimmed(lines.map((line) => line.map((run) => run.text).join('')).join('\n'));
}

/** Writes one transcript; paragraphs that are empty are left out. */
class Writer {
  constructor(
    private readonly state: SessionState,
    private readonly strings: PageStrings,
  ) {}

  /** The paragraphs of an entry. */
  entry(entry: Entry): string[] {
    switch (entry.kind) {
      case 'user':
        return [`## ${this.t('transcriptYou')}`, ...this.blocks(entry.blocks)];
      case 'synthetic':
        return [
          `*${syntheticTitle(entry, (...said) => this.t(...said))}*`,
          quoted(this.blocks(entry.blocks).join('\n\n')),
        ];
      case 'agent':
        return this.blocks(entry.blocks);
      case 'thought':
        return [quoted([`*${this.t('thought')}*`, ...this.blocks(entry.blocks)].join('\n\n'))];
      case 'tool':
        return this.tool(entry);
      case 'plan':
        return [`**${this.t('plan')}**`, planText(entry.items)];
      case 'notice':
        return [
          quoted([literal(entry.title), literal(entry.description ?? '')].filter(Boolean).join('\n\n')),
        ];
      case 'error':
        return this.failure(entry.error);
      case 'end':
        return this.end(entry);
      case 'compaction':
        return [`*${this.t('compacted')}*`, quoted(this.blocks(entry.summary).join('\n\n'))];
      case 'elicitation':
        return this.elicitation(entry);
    }
  }

  private t(key: PageString, ...args: (string | number)[]): string {
    return format(this.strings[key], ...args);
  }

  /** Texts as they were sent; adjacent ones are one text. What is for the agent alone is left out. */
  private blocks(blocks: readonly BlockView[]): string[] {
    const shown = blocks.filter((block) => !block.hidden);
    const parts: string[] = [];
    let texts: BlockView[] = [];
    const flush = (): void => {
      if (texts.length > 0) parts.push(trimmed(textOf(texts)));
      texts = [];
    };
    for (const block of shown) {
      if (block.type === 'text') {
        texts.push(block);
        continue;
      }
      flush();
      parts.push(this.other(block));
    }
    flush();
    return parts;
  }

  private other(block: Exclude<BlockView, { type: 'text' }>): string {
    switch (block.type) {
      case 'image':
        return `*${literal(this.t('imageNotShown', block.mimeType))}*`;
      case 'audio':
        return `*${literal(this.t('audio', block.mimeType))}*`;
      case 'resource':
        return [code(block.uri), ...(block.text === undefined ? [] : [fenced(block.text)])].join('\n\n');
      case 'link':
        return `${literal(block.name)} (${code(block.uri)})`;
      case 'unknown':
        return `*${literal(this.t('unknownBlock', block.name))}*`;
    }
  }

  private tool(entry: ToolEntry): string[] {
    const { title, name, toolCallId, command, rawInput, rawOutput } = entry;
    const known = title || command || name || toolCallId;
    // Where nothing else says what went in and came out.
    const bare = entry.content.length === 0;
    return [
      `### ${literal(known)} · ${this.t(STATUS[entry.status])}`,
      ...(command && !known.includes(command) ? [fenced(command, 'sh')] : []),
      entry.locations
        .map(({ path, line }) => `- ${code(line === undefined ? path : `${path}:${line}`)}`)
        .join('\n'),
      ...entry.permissions.map((permission) => this.permission(permission)),
      ...entry.content.flatMap((content) => this.content(entry, content)),
      ...(rawInput && (bare || !command) ? [`${this.t('input')}:`, fenced(rawInput, 'json')] : []),
      ...(rawOutput && bare ? [`${this.t('output')}:`, fenced(rawOutput, 'json')] : []),
    ];
  }

  private content(entry: ToolEntry, content: ToolContent): string[] {
    if (content.type === 'terminal') return this.terminal(content.terminalId);
    if (content.type === 'diff') {
      const { path, diff } = content;
      const changes = diff.hunks.length === 0 ? this.t('noChanges') : fenced(diffText(diff), 'diff');
      return [
        `${code(path)} (+${diff.added} −${diff.removed})`,
        changes,
        ...(diff.truncated ? [`*${this.t('transcriptDiffCut')}*`] : []),
      ];
    }
    const { block } = content;
    if (block.type !== 'text' || block.hidden) return this.blocks([block]);
    return [entry.toolKind === 'execute' ? fenced(block.text) : trimmed(block.text)];
  }

  private terminal(id: string): string[] {
    const terminal = byId(this.state.terminals, id);
    if (!terminal) return [`*${this.t('terminalUnknown')}*`];
    const { hiddenLines, exit, command } = terminal;
    const end = exit
      ? [exit.signal ? this.t('exitSignal', exit.signal) : this.t('exitCode', exit.code ?? '?')]
      : [];
    return [
      ...(hiddenLines > 0 ? [`*${this.t('terminalHidden', hiddenLines)}*`] : []),
      fenced(`$ ${command}\n${screenText(terminal)}`, 'console'),
      ...end,
    ];
  }

  private permission({ outcome, rule }: PermissionView): string {
    if (outcome === undefined) return this.t('toolWaiting');
    if (outcome === 'cancelled') return this.t('outcomeCancelled');
    const key = outcome.kind.startsWith('allow')
      ? 'outcomeAllowed'
      : outcome.kind.startsWith('reject')
        ? 'outcomeRejected'
        : 'outcomeAnswered';
    const said = literal(this.t(key, outcome.name));
    return rule === undefined ? said : `${said} (${literal(rule)})`;
  }

  private failure({ message, detail, code: number }: Extract<Entry, { kind: 'error' }>['error']): string[] {
    const of = number === undefined ? '' : ` (${this.t('errorCode', number)})`;
    return [`**${this.t('errorTitle')}**${of}: ${literal(message)}`, ...(detail ? [fenced(detail)] : [])];
  }

  private end({ stopReason, ...said }: Extract<Entry, { kind: 'end' }>): string[] {
    const { taskComplete, nudges, nudgesExhausted, silent } = said;
    if (taskComplete) return [`*${literal(this.t('taskCompleteSummary', taskComplete))}*`];
    if (taskComplete === '') return [`*${this.t('taskComplete')}*`];
    if (nudgesExhausted) return [`*${exhaustedTitle(nudges, (...all) => this.t(...all))}*`];
    if (silent) return [`*${this.t('endSilent')}*`];
    if (stopReason === 'interrupted') return [`*${this.t('endInterrupted')}*`];
    return stopReason === 'end_turn' ? [] : [`*${literal(this.t('endOther', stopReason))}*`];
  }

  private elicitation({ message, url, outcome }: Extract<Entry, { kind: 'elicitation' }>): string[] {
    const asked = this.t(url === undefined ? 'elicitForm' : 'elicitUrl', this.state.agent.title);
    const answers = {
      accept: this.t(url === undefined ? 'elicitSubmitted' : 'elicitOpened'),
      decline: this.t('elicitDeclined'),
      cancel: this.t('elicitCancelled'),
    };
    return [
      `**${literal(asked)}**`,
      quoted(literal(message)),
      ...(url === undefined ? [] : [code(url)]),
      ...(outcome ? [`*${answers[outcome]}*`] : []),
    ];
  }
}

const planText = (items: readonly PlanItem[]): string =>
  items
    .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${content.replace(/\s+/g, ' ')}`)
    .join('\n');

/** A name for a file with the session, without its extension: letters and digits of any script, joined by hyphens. */
export function exportName(state: SessionState): string {
  const words = (titleOf(state) ?? '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return Array.from(words.join('-')).slice(0, 60).join('').replace(/-$/, '') || 'chat';
}

/**
 * A whole session as Markdown to be read: messages as they were sent, tool calls with their diffs and outputs. Agents' own words other
 * than messages are no markup. What is meant for the agent alone is left out.
 */
export function toMarkdown(state: SessionState, strings: PageStrings): string {
  const writer = new Writer(state, strings);
  const { agent, cwd, entries, plan } = state;
  const facts = [literal(agent.title), ...(agent.version ? [literal(agent.version)] : [])].join(' ');
  const parts = [
    `# ${literal(titleOf(state) ?? strings.newChat)}`,
    cwd === null ? facts : `${facts} · ${code(cwd)}`,
    ...entries.flatMap((entry) => writer.entry(entry)),
    ...(plan.length > 0 ? [`**${strings.plan}**`, planText(plan)] : []),
  ];
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;
}
