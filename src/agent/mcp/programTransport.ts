import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StringDecoder } from 'node:string_decoder';
import { ProcessTree } from '../../acp/processTree';
import type { ProgramServer } from './serverConfig';

/** What a program needs of the agent's environment to be found and to reach its network. No key of a model service is among it. */
const INHERITED = [
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'TMP',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];

const running = new Set<ProcessTree>();
let watchesExit = false;

/** A server as a child of the agent, which never outlives it: with the connection, or else with the agent, all that it started ends. */
export class ProgramTransport extends StdioClientTransport {
  private tree: ProcessTree | undefined;

  constructor({ command, args, env }: ProgramServer, cwd: string, onPrinted: (text: string) => void) {
    super({ command, args: [...args], env: { ...inherited(), ...env }, cwd, stderr: 'pipe' });
    const decoder = new StringDecoder('utf8');
    // Always read: a full pipe would block the server.
    this.stderr?.on('data', (chunk: Buffer) => onPrinted(decoder.write(chunk)));
  }

  override async start(): Promise<void> {
    await super.start();
    if (this.pid === null) return;
    this.tree = new ProcessTree(this.pid);
    running.add(this.tree);
    if (watchesExit) return;
    watchesExit = true;
    process.once('exit', () => running.forEach((tree) => tree.kill()));
  }

  /** Closes the program's input, then asks it to end, then ends it. */
  override async close(): Promise<void> {
    const { tree } = this;
    // Looks at the tree while it stands: afterwards it would be unknown who belonged to it.
    tree?.alive();
    await super.close();
    tree?.killRest();
    if (tree) running.delete(tree);
  }
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
