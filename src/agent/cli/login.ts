import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { visibleText } from '../../core/visibleText';
import {
  configurationFiles,
  defaultEndpoint,
  PROVIDERS,
  settingsOf,
  type WrittenConfiguration,
} from '../model/configuration';
import type { ProviderName } from '../model/providers/settings';
import { ExitCode } from './run';

export interface LoginOptions {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
  /** The agent's data folder. */
  home: string;
}

const ABOUT: Readonly<Record<ProviderName, string>> = {
  'openai-compatible': 'Ollama, LM Studio, llama.cpp, vLLM, OpenAI, and others with its interface',
  anthropic: 'Anthropic',
  google: 'Google Gemini',
};

/** The person left, by Ctrl+C or the end of the input. */
class Left extends Error {}

/** Asks for a model in the terminal and keeps it; gives the exit code. What was kept before stays where the person leaves. */
export async function login({ input, output, home }: LoginOptions): Promise<number> {
  const questions = new Questions(input, output);
  try {
    const written = await askAll(questions);
    save(home, written);
    const files = configurationFiles(home);
    const kept = written.key === undefined ? files.settings : `${files.settings}, its key in ${files.key}`;
    output.write(`Set up: ${visibleText(written.model)} of ${written.provider}. It is kept in ${kept}.\n`);
    output.write('New sessions use it.\n');
    return ExitCode.done;
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    output.write('\nNothing was changed.\n');
    return ExitCode.cancelled;
  } finally {
    questions.close();
  }
}

/** Removes what `login` kept; gives the exit code. */
export function logout(home: string, write: (text: string) => void): number {
  const { settings, key } = configurationFiles(home);
  for (const file of [key, settings]) rmSync(file, { force: true });
  write('The model and its key that login kept are removed.\n');
  return ExitCode.done;
}

async function askAll(questions: Questions): Promise<WrittenConfiguration> {
  const provider = await askProvider(questions);
  for (;;) {
    const endpoint = await questions.ask(`Endpoint [${defaultEndpoint(provider)}]: `);
    const model = await questions.ask('Model, or several with commas between: ');
    const key = await questions.askHidden('API key, not shown; empty for none: ');
    const written = { provider, endpoint, model, ...(key === '' ? {} : { key }) };
    try {
      settingsOf(written);
      return written;
    } catch (error) {
      questions.say(error instanceof Error ? error.message : String(error));
    }
  }
}

async function askProvider(questions: Questions): Promise<ProviderName> {
  PROVIDERS.forEach((name, index) => questions.say(`${index + 1}  ${name}: ${ABOUT[name]}`));
  for (;;) {
    const answer = (await questions.ask('Provider [1]: ')) || '1';
    const provider = PROVIDERS.find((name, index) => answer === name || answer === String(index + 1));
    if (provider) return provider;
    questions.say(`Answer with a number from 1 to ${PROVIDERS.length}.`);
  }
}

/** Keeps both files for the person alone. The old key goes first: it must never be sent to another endpoint. */
function save(home: string, { provider, endpoint, model, key }: WrittenConfiguration): void {
  const files = configurationFiles(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  rmSync(files.key, { force: true });
  const settings = { provider, ...(endpoint === '' ? {} : { endpoint }), model };
  writeWhole(files.settings, `${JSON.stringify(settings, undefined, 2)}\n`);
  if (key !== undefined) writeWhole(files.key, `${key}\n`);
}

/** Another process reads the old text or the new one, never a part. */
function writeWhole(path: string, text: string): void {
  const part = `${path}.${process.pid}.tmp`;
  rmSync(part, { force: true });
  try {
    writeFileSync(part, text, { mode: 0o600, flag: 'wx' });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Questions in a terminal, one after the other; also answered by lines that come all at once. */
class Questions {
  private readonly lines: Interface;
  private readonly answers: AsyncIterator<string>;
  private isHidden = false;

  constructor(
    input: LoginOptions['input'],
    private readonly output: LoginOptions['output'],
  ) {
    // Readline shows what is typed by writing it.
    const shown = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.isHidden) output.write(chunk);
        done();
      },
    });
    // Without a history: what is hidden must not come back by a key.
    this.lines = createInterface({ input, output: shown, terminal: input.isTTY === true, historySize: 0 });
    this.answers = this.lines[Symbol.asyncIterator]();
  }

  say(text: string): void {
    this.output.write(`${text}\n`);
  }

  async ask(question: string): Promise<string> {
    this.lines.setPrompt(question);
    this.lines.prompt();
    const answer = await this.answers.next();
    if (answer.done) throw new Left();
    return answer.value.trim();
  }

  async askHidden(question: string): Promise<string> {
    this.output.write(question);
    this.isHidden = true;
    try {
      return await this.ask('');
    } finally {
      this.isHidden = false;
      this.output.write('\n');
    }
  }

  close(): void {
    this.lines.close();
  }
}
