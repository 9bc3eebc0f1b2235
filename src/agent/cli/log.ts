import { visibleText } from '../../core/visibleText';
import type { TimedEvent } from '../events/event';

const two = (n: number): string => String(n).padStart(2, '0');

function clock(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

type EventOf<T extends TimedEvent['type']> = Extract<TimedEvent, { type: T }>;

interface Row {
  time: string;
  what: string;
  took: string;
  tokens: string;
}

/** Follows the events, and knows when each pair was begun. */
class Table {
  readonly rows: Row[] = [];
  private readonly begun = new Map<string, number>();
  private calls = { started: 0, ended: 0 };
  private readonly purposes = new Map<string, string>();
  private tools = 0;
  private tokens = { input: 0, output: 0 };

  add(event: TimedEvent): void {
    switch (event.type) {
      case 'user.message':
        return this.row(event, event.synthetic ? `nudge ${event.synthetic.n}` : `prompt: ${textOf(event)}`);
      case 'assistant.turn_start':
        return this.start(event);
      case 'tool.execution_start':
        return void this.begun.set(event.toolCallId, event.at);
      case 'tool.execution_complete':
        this.tools++;
        return this.row(event, `  tool ${oneLine(event.name)}: ${event.status}`, event.toolCallId);
      case 'assistant.turn_end':
        return this.end(event);
      case 'session.compaction':
        return this.row(event, `summarized: the model goes on with ${event.history.length} items`);
      case 'session.outputs_cut':
        return this.row(event, `tool outputs cut: ${Object.keys(event.kept).length}`);
      case 'session.task_complete':
        return this.row(event, `task complete: ${oneLine(event.summary ?? '')}`);
      case 'session.error':
        return this.row(event, `ended: ${event.kind}: ${oneLine(event.message)}`);
      case 'session.cancelled':
        return this.row(event, 'cancelled');
      default:
    }
  }

  /** What all of it comes to. */
  sum(): string {
    const { started, ended } = this.calls;
    const open = started - ended;
    return [
      `${started} model calls${open > 0 ? ` (${open} did not end)` : ''}, ${this.tools} tool calls`,
      `${this.tokens.input} tokens in, ${this.tokens.output} out`,
    ].join('; ');
  }

  private start({ turnId, at, purpose }: EventOf<'assistant.turn_start'>): void {
    this.calls.started++;
    this.begun.set(turnId, at);
    if (purpose !== undefined) this.purposes.set(turnId, purpose);
  }

  private end(event: EventOf<'assistant.turn_end'>): void {
    const { inputTokens = 0, outputTokens = 0 } = event.usage ?? {};
    this.calls.ended++;
    this.tokens.input += inputTokens;
    this.tokens.output += outputTokens;
    const asked = event.toolRequests === 0 ? 'no tools' : `${event.toolRequests} tools`;
    const kind = oneLine(this.purposes.get(event.turnId) ?? asked);
    const tokens = event.usage ? `${inputTokens} / ${outputTokens}` : '';
    this.row(event, `model call ${this.calls.ended}: ${kind}`, event.turnId, tokens);
  }

  private row({ at }: TimedEvent, what: string, pair = '', tokens = ''): void {
    const begun = this.begun.get(pair);
    this.rows.push({ time: clock(at), what, took: begun === undefined ? '' : seconds(at - begun), tokens });
  }
}

function textOf({ blocks }: EventOf<'user.message'>): string {
  const texts = blocks.map((block) => (block as { text?: unknown }).text);
  return oneLine(texts.filter((text) => typeof text === 'string').join(' '));
}

function oneLine(text: string): string {
  const line = visibleText(text.replace(/\s+/g, ' ').trim());
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** A session's events as a table of prompts, model calls, tools, times and tokens, with a line of sums. */
export function logTable(events: readonly TimedEvent[]): string {
  const table = new Table();
  for (const event of events) table.add(event);
  const head: Row = { time: 'time', what: 'what', took: 'took', tokens: 'tokens in / out' };
  const all = [head, ...table.rows];
  const width = (key: keyof Row): number => all.reduce((most, row) => Math.max(most, row[key].length), 0);
  const [time, what, took] = [width('time'), width('what'), width('took')];
  const lines = all.map((row) =>
    `${row.time.padEnd(time)}  ${row.what.padEnd(what)}  ${row.took.padStart(took)}  ${row.tokens}`.trimEnd(),
  );
  return [...lines, '', table.sum()].join('\n');
}
