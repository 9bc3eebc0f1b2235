import type { JsonObject } from '../../../src/core/json';

/** A tool that the model asks for. */
export interface ScriptedCall {
  name: string;
  /** An object, or a text that is sent as it is: arguments that are no JSON. */
  args: JsonObject | string;
  /** What the provider wants to see again. */
  signature?: string;
}

/** How the server's answer ends instead of an ordinary end. */
export type Trouble =
  /** The connection is cut in the middle. */
  | 'cut'
  /** The stream ends in order, but without its last part. */
  | 'unfinished'
  /** Nothing more comes. */
  | 'hang'
  /** A chunk that is no JSON. */
  | 'malformed'
  /** The error that servers send in the middle of a stream when they have too much to do. */
  | 'overloaded';

/** One answer of the scripted model. */
export interface ScriptedAnswer {
  /** Sent as it is in the place of a stream. */
  http?: { status: number; headers?: Record<string, string>; body?: unknown };
  thoughts?: readonly string[];
  /** The signature of the thoughts, where the format has one. */
  thoughtSignature?: string;
  text?: readonly string[];
  calls?: readonly ScriptedCall[];
  finish?: 'stop' | 'length' | 'refusal';
  usage?: { input: number; output: number };
  /** After what was said before. */
  trouble?: Trouble;
  /** Holds the answer, or what comes of it after the text, until it resolves. */
  until?: { point: 'start' | 'afterText'; done: Promise<unknown> };
}

/** One event of a stream: with a name where the format has them. */
export interface StreamEvent {
  event?: string;
  data: unknown;
}

/** How an answer is told in one wire format. */
export interface WireFormat {
  /** The events up to the end of the text, those after it, and the last ones. */
  events(
    answer: ScriptedAnswer,
    model: string,
  ): { text: StreamEvent[]; rest: StreamEvent[]; end: StreamEvent[] };
  /** The error in the middle of a stream. */
  overloaded: StreamEvent;
  /** A body that tells of an error. */
  errorBody(status: number, message: string): unknown;
}

/** A text in pieces, as streams cut it. */
export function pieces(text: string, size = 7): string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length; at += size) all.push(text.slice(at, at + size));
  return all;
}

export function argumentText({ args }: ScriptedCall): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}
