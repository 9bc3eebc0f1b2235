import type { InputDefinition } from '../../core/mcp/config';
import type { ConfigSource } from './configSources';

/** The part of `vscode.SecretStorage` that is used. */
export interface Secrets {
  keys(): PromiseLike<string[]>;
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** Asks a person for an input; undefined where they cancel. */
export type AskInput = (input: InputDefinition, source: ConfigSource) => Promise<string | undefined>;

const PREFIX = 'parley.mcp.input:';

/**
 * The answers to `${input:…}`, asked for once and kept in the editor's secret storage. The file that defines an input is part of the
 * key, so that no other workspace gets an answer by using the same id.
 */
export class InputAnswers {
  private readonly pending = new Map<string, Promise<string | undefined>>();
  private readonly cancelled = new Set<string>();
  /** Answers of this window, for a secret storage that does not work. */
  private readonly answered = new Map<string, string>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly secrets: Secrets,
    private readonly ask: AskInput,
    private readonly log: (line: string) => void,
  ) {}

  /** The answer to an input, asked for where none is kept; undefined once a person has cancelled it. */
  get(input: InputDefinition, source: ConfigSource): Promise<string | undefined> {
    const key = PREFIX + JSON.stringify([source.file, input.id]);
    let answer = this.pending.get(key);
    if (!answer) {
      answer = this.find(key, input, source).finally(() => this.pending.delete(key));
      this.pending.set(key, answer);
    }
    return answer;
  }

  /** Inputs that were cancelled are asked for again. */
  askAgain(): void {
    this.cancelled.clear();
  }

  /** Deletes all kept answers, so that each is asked for again. */
  async forget(): Promise<void> {
    this.cancelled.clear();
    this.answered.clear();
    for (const key of await this.secrets.keys()) if (key.startsWith(PREFIX)) await this.secrets.delete(key);
  }

  private async find(key: string, input: InputDefinition, source: ConfigSource): Promise<string | undefined> {
    const kept = this.answered.get(key) ?? (await this.read(key));
    if (kept !== undefined && fits(kept, input)) return kept;
    if (this.cancelled.has(key)) return undefined;
    const answer = await this.askInTurn(input, source);
    if (answer === undefined) this.cancelled.add(key);
    else await this.keep(key, answer);
    return answer;
  }

  /** A second question on screen would cancel the first one. */
  private askInTurn(input: InputDefinition, source: ConfigSource): Promise<string | undefined> {
    const answer = this.last.then(() => this.ask(input, source));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async read(key: string): Promise<string | undefined> {
    try {
      return await this.secrets.get(key);
    } catch {
      this.log('The secret storage can not be read; inputs of MCP servers are asked for in each window.');
      return undefined;
    }
  }

  private async keep(key: string, answer: string): Promise<void> {
    this.answered.set(key, answer);
    try {
      await this.secrets.store(key, answer);
    } catch {
      this.log('The secret storage can not be written; inputs of MCP servers are kept for this window only.');
    }
  }
}

/** A kept choice that the file no longer offers is no answer. */
function fits(answer: string, input: InputDefinition): boolean {
  return input.type !== 'pickString' || input.options.some(({ value }) => value === answer);
}
