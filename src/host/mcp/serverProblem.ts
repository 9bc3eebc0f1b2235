import type { RowProblem } from '../../core/mcp/config';

/** What is wrong with a field of a server. */
export type FieldProblem = Exclude<RowProblem, 'badInput' | 'commandInput'> | 'badUrl';

/** What is wrong with an input that a server names. */
export type InputProblem = 'noInput' | 'badInput' | 'commandInput' | 'inputCancelled';

/** Why a configured server is not given to an agent. Nothing here holds the value of a variable. */
export type ServerProblem =
  | { cause: FieldProblem | 'unreadable' }
  | { cause: InputProblem; input: string }
  | { cause: 'unknownVariable'; variable: string }
  | { cause: 'syntaxError'; line: number }
  | { cause: 'commandNotFound'; command: string }
  | { cause: 'envFileUnreadable'; path: string }
  | { cause: 'transportUnsupported'; transport: string };
