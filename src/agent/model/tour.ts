import type { JsonObject } from '../../core/json';
import { inlineCode } from '../markdown';
import { withoutNote } from '../tools/bounds';
import type { ModelEvent } from './model';
import type { Situation, ToolItem } from './planner';
import { planEvent, whyStopped } from './steps';

/** The file that the tour makes, and on later tours changes. */
export const TOUR_FILE = 'parley-tour.md';

const MARK = '<!-- the next visit goes here -->';
const VISIT = '- One more visit';
const TOUR_TEXT = `# A visit to Parley

The tour of Parley made this file. It may be deleted.

- The first visit
${MARK}
`;

const PLAN = [
  'Look at a real file of this folder',
  'Search this folder for a word',
  `Write ${inlineCode(TOUR_FILE)}, with your permission`,
  'Run a command, with your permission',
];

const THOUGHT = `This is a thought. Real agents stream their reasoning like this, and the panel keeps it folded away. \
I plan four things: look at a file, search, change a file, and run a command.`;

const INTRO = `## A tour of Parley

I am the agent that comes with Parley. I am **not a language model**; I only show what the panel does with what an agent sends.

| An agent sends | You see |
| --- | --- |
| a plan | a list that fills up as the work goes on |
| a tool call | a card with its state, its input and its result |
| a request for permission | a question that waits for your answer |
| a terminal | the output while it is printed |

Code comes with colors:

\`\`\`js
export function greet(name) {
  return \`Hello, \${name}!\`;
}
\`\`\`

First I look around in this folder.`;

const SUMMARY = `That was the tour. You have seen a thought, a plan, Markdown, four kinds of tool calls, a diff, two requests for permission and the output of a command as it was printed.

To work with a real agent, add it to the setting \`parley.agents\`, then run the command **Parley: Select Agent**.`;

/** A command that prints for about a second, so that one can see the output arrive. */
export function tourCommand(platform: NodeJS.Platform): string {
  if (platform === 'win32')
    return 'echo Line 1 of 3 & ping -n 2 127.0.0.1 >nul & echo Line 2 of 3 & echo Line 3 of 3';
  return 'for i in 1 2 3 4 5; do echo "Line $i of 5"; sleep 0.2; done';
}

const TOOL_REQUEST = { type: 'toolRequest' } as const;

/**
 * One model call of the tour. Its stops are tools, in this order: list_directory, read_file and search_text (left out in a folder
 * without a text file), write_file or edit_file, run_command, task_complete.
 */
export async function* takeTourStop(situation: Situation): AsyncGenerator<ModelEvent> {
  const { mode, results, phrases, speech } = situation;
  if (mode === 'plan') {
    yield planEvent(PLAN, { done: 0, active: false });
    yield* speech.say(phrases.planOnly);
    return;
  }
  const last = results.at(-1);
  if (!last) {
    yield* welcome(situation);
    return;
  }
  const stop = nextStop(results);
  if (last.outcome === 'rejected') {
    yield planEvent(PLAN, { done: entryOf(last.name), active: false });
    yield* speech.say(whyStopped(situation, PLAN[entryOf(last.name)] ?? ''));
    return;
  }
  yield planEvent(PLAN, { done: stop.entry, active: true });
  yield* speech.say(`${comment(last)}${stop.text}`);
  await speech.wait(300);
  yield { ...TOOL_REQUEST, ...stop.tool };
}

async function* welcome({ speech }: Situation): AsyncGenerator<ModelEvent> {
  yield* speech.think(THOUGHT);
  yield planEvent(PLAN, { done: 0, active: true });
  yield* speech.say(INTRO);
  yield { ...TOOL_REQUEST, name: 'list_directory', input: { path: '.' } };
}

interface Stop {
  /** How many entries of the plan are done. */
  entry: number;
  text: string;
  tool: { name: string; input: JsonObject };
}

function nextStop(results: readonly ToolItem[]): Stop {
  const last = results.at(-1)?.name;
  const output = withoutNote(results.at(-1)?.output ?? '');
  switch (last) {
    case 'list_directory':
      return readStop(output.split('\n'));
    case 'read_file':
      return searchStop(wordToFind(output));
    case 'search_text':
      return writeStop(withoutNote(results[0]?.output ?? '').split('\n'));
    case 'write_file':
    case 'edit_file':
      return commandStop(tourCommand(process.platform));
    default:
      return LAST_STOP;
  }
}

function readStop(files: readonly string[]): Stop {
  const file = fileToRead(files);
  if (file === undefined) return writeStop(files);
  return {
    entry: 0,
    text: `I read ${inlineCode(file)}.`,
    tool: { name: 'read_file', input: { path: file } },
  };
}

function searchStop(word: string): Stop {
  const tool = { name: 'search_text', input: { text: word, path: '.' } };
  return { entry: 1, text: `Next I search for ${inlineCode(word)}.`, tool };
}

function commandStop(command: string): Stop {
  const text = 'Last, I run a command that prints for a second. Again I ask first.';
  return { entry: 3, text, tool: { name: 'run_command', input: { command } } };
}

const LAST_STOP: Stop = {
  entry: 4,
  text: SUMMARY,
  tool: { name: 'task_complete', input: { summary: 'The tour of Parley is over.' } },
};

function writeStop(files: readonly string[]): Stop {
  const path = TOUR_FILE;
  const text = `Now I change something: ${inlineCode(path)}. I ask first, and the card shows the difference.`;
  const change = { path, oldText: MARK, newText: `${VISIT}\n${MARK}`, all: true };
  const tool = files.includes(TOUR_FILE)
    ? { name: 'edit_file', input: change }
    : { name: 'write_file', input: { path, text: TOUR_TEXT } };
  return { entry: 2, text, tool };
}

/** What to say of the tool before; a failure does not end the tour. */
function comment({ name, outcome, output }: ToolItem): string {
  if (outcome !== 'completed') return `That did not work: ${output.split('\n')[0] ?? ''}\n\n`;
  const told = withoutNote(output);
  const lines = told === '' ? 0 : told.split('\n').length;
  if (name === 'list_directory' && lines === 0)
    return 'This folder is empty, so there is nothing to read.\n\n';
  if (name === 'search_text') return `I found it in ${lines} ${lines === 1 ? 'line' : 'lines'}.\n\n`;
  return '';
}

function entryOf(tool: string): number {
  return tool === 'run_command' ? 3 : 2;
}

/** A README, or else the first file that looks like text. */
function fileToRead(names: readonly string[]): string | undefined {
  const candidates = names.filter((name) => name !== TOUR_FILE);
  return (
    candidates.find((name) => /^readme(\.md|\.txt)?$/i.test(name)) ??
    candidates.find((name) =>
      /^[^.].*\.(md|txt|js|ts|jsx|tsx|py|json|html|css|java|go|rs|c|h|cpp|sh|ya?ml)$/i.test(name),
    )
  );
}

/** The first longer word of a text. */
function wordToFind(text: string): string {
  return /\p{L}{4,}/u.exec(text)?.[0] ?? 'the';
}
