import { asNumber, asObject, asString, compact, type JsonObject } from '../json';

/** What an agent tells of a terminal that it runs itself, and that is only shown. */
export type DisplayEvent =
  | { type: 'started'; terminalId: string; cwd?: string }
  | { type: 'output'; terminalId: string; text: string }
  | { type: 'exited'; terminalId: string; code: number | null; signal: string | null };

/**
 * Reads what several agents send under `_meta` of a tool call or its update, where the client announced
 * `_meta: {"terminal_output": true}`: `terminal_info`, `terminal_output` (or `terminal_output_delta`), `terminal_exit`. In the order in
 * which it happened; what is malformed is left out.
 */
export function readDisplayEvents(meta: JsonObject): DisplayEvent[] {
  const events: DisplayEvent[] = [];
  const read = (
    key: string,
    add: (terminalId: string, value: JsonObject) => DisplayEvent | undefined,
  ): void => {
    if (!Object.hasOwn(meta, key)) return;
    const value = asObject(meta[key]);
    const terminalId = asString(value['terminal_id']);
    const event = terminalId === undefined ? undefined : add(terminalId, value);
    if (event) events.push(event);
  };
  read('terminal_info', (terminalId, { cwd }) => ({
    type: 'started',
    terminalId,
    ...compact({ cwd: asString(cwd) }),
  }));
  for (const key of ['terminal_output', 'terminal_output_delta']) {
    read(key, (terminalId, { data }) => {
      const text = asString(data);
      return text === undefined ? undefined : { type: 'output', terminalId, text };
    });
  }
  read('terminal_exit', (terminalId, { exit_code, signal }) => ({
    type: 'exited',
    terminalId,
    code: asNumber(exit_code) ?? null,
    signal: asString(signal) ?? null,
  }));
  return events;
}
