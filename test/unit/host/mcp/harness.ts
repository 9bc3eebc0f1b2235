import { McpServers, type McpServersOptions, type ServerChoice } from '../../../../src/host/mcp/mcpServers';
import { InputAnswers, type AskInput, type Secrets } from '../../../../src/host/mcp/inputAnswers';
import { ServerSwitches, type Memory } from '../../../../src/host/mcp/serverSwitches';

/** A memory that survives what is built on it. */
export class TestMemory implements Memory {
  readonly values = new Map<string, unknown>();
  get(key: string): unknown {
    return this.values.get(key);
  }
  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }
}

/** A secret storage; `broken` makes it reject. */
export class TestSecrets implements Secrets {
  readonly values = new Map<string, string>();
  broken = false;
  keys(): Promise<string[]> {
    return this.settle([...this.values.keys()]);
  }
  get(key: string): Promise<string | undefined> {
    return this.settle(this.values.get(key));
  }
  store(key: string, value: string): Promise<void> {
    if (!this.broken) this.values.set(key, value);
    return this.settle(undefined);
  }
  delete(key: string): Promise<void> {
    this.values.delete(key);
    return this.settle(undefined);
  }
  private settle<T>(value: T): Promise<T> {
    return this.broken ? Promise.reject(new Error('no keyring')) : Promise.resolve(value);
  }
}

export const FOLDER = '/proj/shop';
export const USER_FILE = '/home/ann/User/mcp.json';
export const ALL = { http: true, sse: true };

/** Servers on a made-up machine: files by path, programs by path, and a person who answers. */
export class Machine {
  readonly files = new Map<string, string>();
  readonly programs = new Set(['/usr/bin/npx']);
  readonly lines: string[] = [];
  readonly asked: string[] = [];
  readonly said: Parameters<McpServersOptions['picker']['say']>[0][] = [];
  readonly user = new TestMemory();
  readonly workspace = new TestMemory();
  readonly secrets = new TestSecrets();
  readonly env: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin' };
  folders = [{ name: 'shop', path: FOLDER }];
  trusted = true;
  windows = false;
  userHome = '/home/ann';
  choices: readonly ServerChoice[] = [];
  answer: AskInput = ({ id }) => Promise.resolve(`answer-${id}`);
  pick: (choices: readonly ServerChoice[]) => ServerChoice[] | 'forget' | undefined = () => undefined;

  /** A new window: what is kept stays, what a window remembers does not. */
  window(): McpServers {
    const log = (line: string): unknown => this.lines.push(line);
    const ask: AskInput = (input, source) => {
      this.asked.push(input.id);
      return this.answer(input, source);
    };
    return new McpServers({
      isTrusted: () => this.trusted,
      folders: () => this.folders,
      userFile: USER_FILE,
      userHome: this.userHome,
      // A file system takes `/a/./b` as well.
      platform: { windows: this.windows, isProgram: (path) => this.programs.has(path.replace('/./', '/')) },
      readText: (path) => Promise.resolve(this.files.get(path)),
      environment: () => Promise.resolve(this.env),
      inputs: new InputAnswers(this.secrets, ask, log),
      switches: new ServerSwitches(this.user, this.workspace),
      picker: {
        pick: (_agentId, choices) => {
          this.choices = choices;
          return Promise.resolve(this.pick(choices));
        },
        say: (why) => this.said.push(why),
      },
      texts: {
        reason: (problem) => Object.values(problem).join(' '),
        from: ({ folder }) => folder?.name ?? 'user',
      },
      log,
    });
  }

  inFolder(content: object, folder = FOLDER): this {
    this.files.set(`${folder}/.vscode/mcp.json`, JSON.stringify(content));
    return this;
  }

  forUser(content: object): this {
    this.files.set(USER_FILE, JSON.stringify(content));
    return this;
  }
}
