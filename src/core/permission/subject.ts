import { asList, asObject, asString, compact, isObject, type JsonObject } from '../json';
import { isPlainShell } from './commandParts';
import type { CommandSubject, PermissionSubject } from './rules';

/** What a tool call wants to do, as far as the agent says it. */
export type ToolCallSubject = Omit<PermissionSubject, 'agent' | 'paths'> & { paths: string[] };

const PATH_FIELDS = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'abs_path',
  'absolute_path',
  'filename',
  'fileName',
  'notebook_path',
  'old_path',
  'new_path',
  'source',
  'destination',
  'target_file',
  'targetFile',
  'target_path',
  'output_path',
  'outputPath',
  'source_path',
  'destination_path',
];
const FOLDER_FIELDS = [
  'cwd',
  'workdir',
  'working_directory',
  'workingDirectory',
  'directory',
  'dir',
  'dir_path',
];
/** Other names for what is run; beside a command, what of them counts is not known. */
const SCRIPT_FIELDS = 'script code commandLine CommandLine command_line shell_command bash_command'.split(
  ' ',
);
/** Values of `command` that name what an editing tool does, and are no commands. */
const EDITOR_WORDS = new Set('view create str_replace insert undo_edit delete rename update add'.split(' '));

/**
 * Reads the `toolCall` of a permission request for the rules (PE-4). Agents name their input freely, so this takes the names that are
 * in use; where no command is found, the title is kept as a guess, since for some agents it is the command and for others prose.
 * Never throws.
 */
export function readSubject(toolCall: unknown): ToolCallSubject {
  const call = asObject(toolCall);
  const input = asObject(call['rawInput']);
  const kind = text(call['kind']) ?? 'other';
  const found = commandOf(input) ?? quotedCommand(call, kind);
  const runs = found !== undefined || kind === 'execute';
  const folders = runs ? textsOf(input, FOLDER_FIELDS) : [];
  const noFolder = FOLDER_FIELDS.some((name) => !isNothing(input[name]) && text(input[name]) === undefined);
  const unclear = noFolder || folders.length > 1 || textsOf(input, SCRIPT_FIELDS).length > 0;
  const command = unclear ? undefined : found;
  return {
    kind,
    ...compact({
      tool: toolName(call, kind),
      command,
      cwd: folders.length > 0 ? folders.join(' | ') : undefined,
      guess: runs && !command ? guessOf(call, input, found) : undefined,
    }),
    paths: readPaths(call, input, runs),
  };
}

const text = (value: unknown): string | undefined => asString(value) || undefined;

const textsOf = (object: JsonObject, names: readonly string[]): string[] => [
  ...new Set(names.map((name) => text(object[name])).filter((value) => value !== undefined)),
];

/** All texts that may be what is run. */
function guessOf(call: JsonObject, input: JsonObject, found: CommandSubject | undefined): string | undefined {
  const command = found && ('line' in found ? found.line : found.argv.join(' '));
  const all = [text(call['title']), command, ...textsOf(input, SCRIPT_FIELDS)];
  return text(all.filter((value) => value !== undefined).join('\n'));
}

function toolName(call: JsonObject, kind: string): string | undefined {
  const meta = asObject(call['_meta']);
  const named =
    text(call['name']) ?? text(meta['toolName']) ?? text(asObject(meta['claudeCode'])['toolName']);
  if (named !== undefined) return named;
  // The title of another kind may be a file or a command that the model chose.
  const title = kind === 'other' ? text(call['title']) : undefined;
  return title !== undefined && /^[\w-]+(\/[\w-]+)?$/.test(title) ? title : undefined;
}

/** The command of a tool call's input, with all that would change what it does; undefined where there is none. Never throws. */
export function commandOf(input: JsonObject): CommandSubject | undefined {
  const command = readCommand(input);
  const before = command ? settingsOf(input) : '';
  if (!command || before === '') return command;
  return { line: `${before} ${'line' in command ? command.line : command.argv.map(quoted).join(' ')}` };
}

/** Variables and a shell that the input names: written before the command, so that it is shown, and no rule allows it. */
function settingsOf(input: JsonObject): string {
  const variables = ENVIRONMENTS.flatMap((name) => {
    const value = input[name];
    if (isObject(value)) return Object.entries(value).map(([key, item]) => `${key}=${quoted(textual(item))}`);
    return isNothing(value) ? [] : [`${name}=${quoted(textual(value))}`];
  });
  const { shell } = input;
  const known = isNothing(shell) || typeof shell === 'boolean' || isPlainShell(textual(shell));
  return [...variables, ...(known ? [] : [`SHELL=${quoted(textual(shell))}`])].join(' ');
}

const ENVIRONMENTS = ['env', 'environment', 'env_vars', 'environment_variables'];

const textual = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || ['{}', '[]'].includes(JSON.stringify(value));

const quoted = (word: string): string =>
  /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

function readCommand(input: JsonObject): CommandSubject | undefined {
  const given = [input['command'], input['cmd']].filter((value) => isCommand(value, input));
  const more = asList(input['commands']).map(textual);
  const args = input['args'] ?? input['arguments'];
  const words = asList(args).map(textual);
  // No list, and so perhaps a line.
  const rest = isNothing(args) || Array.isArray(args) ? [] : [textual(args)];
  const [argv] = given.filter((value) => Array.isArray(value));
  if (given.length === 1 && argv && more.length + rest.length === 0)
    return fromArgv([...(argv as string[]), ...words]);
  const lines = new Set(
    [...given, ...more].map((value) => (Array.isArray(value) ? value.join(' ') : String(value))),
  );
  if (lines.size === 0) return undefined;
  const [line = ''] = lines;
  if (lines.size === 1 && words.length > 0) return { argv: [line, ...words] };
  return { line: [...lines, ...words, ...rest].join('\n') };
}

/** One word with blanks is a line that was put into a list. */
function fromArgv(argv: readonly string[]): CommandSubject {
  const [line = ''] = argv;
  return argv.length === 1 && /\s/.test(line) ? { line } : { argv: [...argv] };
}

function isCommand(value: unknown, input: JsonObject): boolean {
  if (Array.isArray(value)) return value.length > 0 && isWords(value);
  if (text(value) === undefined) return false;
  return !(EDITOR_WORDS.has(String(value)) && textsOf(input, PATH_FIELDS).length > 0);
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

/** A title that is all in backticks is a command, where nothing else says what is run. */
function quotedCommand(call: JsonObject, kind: string): CommandSubject | undefined {
  if (call['rawInput'] !== undefined && call['rawInput'] !== null) return undefined;
  const line = kind === 'execute' ? /^`([^`]+)`$/.exec(text(call['title']) ?? '')?.[1] : undefined;
  return line === undefined ? undefined : { line };
}

function readPaths(call: JsonObject, input: JsonObject, runs: boolean): string[] {
  const located = asList(call['locations']).map((item) => asObject(item)['path']);
  const diffs = asList(call['content'])
    .map(asObject)
    .filter((item) => item['type'] === 'diff')
    .map((item) => item['path']);
  const named = PATH_FIELDS.map((name) => input[name]);
  const folder = runs ? [] : FOLDER_FIELDS.map((name) => input[name]);
  const files = [...asList(input['files']), ...asList(input['paths'])].map((item) =>
    isObject(item) ? item['path'] : item,
  );
  const changes = Object.keys(asObject(input['changes']));
  const all = [...located, ...diffs, ...named, ...folder, ...files, ...changes].map(text);
  return [...new Set(all.filter((path) => path !== undefined))];
}
