/** What is wrong, as a key of the texts in trafficStrings.ts. */
export type FaultCode =
  | 'answerShape'
  | 'answerWithoutId'
  | 'askedAfterCancel'
  | 'batch'
  | 'cancelledWithError'
  | 'errorShape'
  | 'idChanged'
  | 'idReused'
  | 'idType'
  | 'invalidParams'
  | 'malformed'
  | 'notAnnounced'
  | 'notCancelled'
  | 'notMessage'
  | 'notOffered'
  | 'notOpen'
  | 'relativePath'
  | 'reusedToolCall'
  | 'secondPrompt'
  | 'terminalMethod'
  | 'tooEarly'
  | 'twice'
  | 'unknownMethod'
  | 'unknownSession'
  | 'unknownToolCall'
  | 'unknownUpdate'
  | 'unknownValue'
  | 'version';

/** A fault in a message, by the duty that it is against. */
export interface FaultNote {
  /** Id of the duty, such as TC-6. */
  duty: string;
  code: FaultCode;
  /** What the text of the code is filled with. */
  args: readonly string[];
}

/** A fault, and whose it is. */
export interface Fault extends FaultNote {
  side: 'agent' | 'client';
}

/** Longest text of a message that a note repeats, in UTF-16 units. */
const MAX_ARGUMENT = 120;

/** Makes a note; what comes from a message is shown as JSON and cut. */
export function note(duty: string, code: FaultCode, ...args: readonly unknown[]): FaultNote {
  return { duty, code, args: args.map(shown) };
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return text.length <= MAX_ARGUMENT ? text : `${text.slice(0, MAX_ARGUMENT)}…`;
}
