// Speaks before session/new is answered: updates, a permission, files, a terminal, a form. node earlyRequests.mjs [--wait KINDS]
//   --wait KINDS  answers session/new only after these were answered, with commas: permission, file, terminal, form
// Prompts: "answers" waits for all of them and says what came back, as JSON; any other says what came back so far.
import { argument, ask, say, serve, textOf, update } from './line.mjs';

const sessionId = 'early';
const waitFor = argument('wait', '').split(',').filter(Boolean);
const answers = {};
const open = {};
function early(kind, method, params) {
  open[kind] = ask(method, { sessionId, ...params }, kind).then(
    ({ result, error }) => (answers[kind] = result ?? error),
  );
}

serve({
  'session/new': async ({ cwd }) => {
    update(sessionId, {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'early', description: 'Came first' }],
    });
    say(sessionId, 'Good morning.');
    update(sessionId, { sessionUpdate: 'session_info_update', title: 'An early bird' });
    early('permission', 'session/request_permission', {
      toolCall: { toolCallId: 'early-call', title: 'Begin', kind: 'other', status: 'pending' },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    });
    early('file', 'fs/read_text_file', { path: `${cwd}/early.txt` });
    early('terminal', 'terminal/create', { command: process.execPath, args: ['-e', '1'], cwd });
    early('form', 'elicitation/create', {
      mode: 'form',
      message: 'Already here?',
      requestedSchema: { type: 'object', properties: { here: { type: 'boolean' } } },
    });
    await Promise.all(waitFor.map((kind) => open[kind]));
    return { sessionId };
  },
  'session/prompt': async ({ prompt }) => {
    if (textOf(prompt) === 'answers') await Promise.all(Object.values(open));
    say(sessionId, JSON.stringify(answers));
    return { stopReason: 'end_turn' };
  },
});
