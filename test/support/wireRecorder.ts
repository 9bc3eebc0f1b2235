import assert from 'node:assert/strict';
import type { TraceHook } from '../../src/acp/connection';
import { asObject } from '../../src/core/json';
import { wireProblemsOf } from './wireSchema';

const recorders = new Set<WireRecorder>();

/** Takes part in a connection of a test and checks what Parley wrote on it by the schema, when the test is over. */
export class WireRecorder {
  private written: string[] = [];
  /** Requests of the agent, whose answers are checked. */
  private readonly asked: unknown[] = [];

  constructor() {
    recorders.add(this);
  }

  readonly trace: TraceHook = (direction, message) => {
    if (direction === 'out') this.written.push(JSON.stringify(message));
    else if (asObject(message)['id'] !== undefined && asObject(message)['method']) this.asked.push(message);
  };

  /** What is wrong with the lines since the last call. */
  takeProblems(): string[] {
    const lines = this.written;
    this.written = [];
    return wireProblemsOf('client', lines, this.asked);
  }
}

// Here and not in the tests, so that none can forget it. There is none of it in a program that is no test.
if (typeof afterEach === 'function') {
  afterEach('lines of Parley by the schema', () => {
    const problems = [...recorders].flatMap((recorder) => recorder.takeProblems());
    assert.deepEqual(problems, []);
  });
}
