// Wants a sign-in: session/new, load and prompt give -32000 until then. node authRequired.mjs [--state FILE] [--odd] [--no-logout]
//   --state FILE  the sign-in is kept in this file, so that it lasts over a restart and the terminal's login can do it
//   --login       (what the terminal method appends) asks for a password; "wrong" ends with 1, all else signs in
// Methods: "key" (agent), "terminal" (where the client announced it), with --odd "browser" of a type that nobody knows.
// Prompts: "expire" ends the sign-in and fails with -32000 once; "who" says how it was signed in.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { argument, Failure, flag, say, serve, textOf } from './line.mjs';

const file = argument('state');
let inMemory = '';
const stored = () => (file ? existsSync(file) && readFileSync(file, 'utf8') : inMemory);
const store = (how) => (file ? writeFileSync(file, how) : void (inMemory = how));
const signedInBy = () => (stored() === 'expired' ? '' : stored());
const signIn = (how) => store(stored() === 'expired' ? `${how}, again` : how);
function signedIn() {
  if (!signedInBy()) throw new Failure(-32000, 'Authentication required');
}

function login() {
  console.log(`Sign in (${process.env.AUTH_STYLE ?? 'plain'})`);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.question('Password: ', (password) => {
    if (password === 'wrong') process.exit(1);
    signIn('terminal');
    console.log('Signed in.');
    process.exit(0);
  });
}

const terminal = {
  type: 'terminal',
  id: 'terminal',
  name: 'Sign in on the command line',
  args: ['--login'],
  env: { AUTH_STYLE: 'fancy' },
};
const methodsFor = (client) => [
  { id: 'key', name: 'Sign in with a key', description: 'Takes the key of this machine' },
  ...(client?.auth?.terminal === true ? [terminal] : []),
  ...(flag('odd') ? [{ type: 'browser', id: 'browser', name: 'Sign in by magic' }] : []),
];

if (flag('login')) login();
else
  serve({
    initialize: ({ clientCapabilities }) => ({
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, ...(flag('no-logout') ? {} : { auth: { logout: {} } }) },
      authMethods: methodsFor(clientCapabilities),
    }),
    authenticate: ({ methodId }) => {
      if (methodId !== 'key') throw new Failure(-32602, `No method ${methodId} of the agent`);
      signIn('key');
      return {};
    },
    logout: () => {
      store('');
      return {};
    },
    'session/new': () => {
      signedIn();
      return { sessionId: 'signed-in' };
    },
    'session/load': () => {
      signedIn();
      return {};
    },
    'session/prompt': ({ sessionId, prompt }) => {
      if (textOf(prompt) === 'expire' && !signedInBy().endsWith('again')) store('expired');
      signedIn();
      say(sessionId, `signed in by ${signedInBy()}`);
      return { stopReason: 'end_turn' };
    },
  });
