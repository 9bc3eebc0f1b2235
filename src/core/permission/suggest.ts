import { isInside } from '../files/containment';
import { ruleWords } from './commandParts';
import { decide, MAX_TOOL, partsOf } from './decide';
import { literalPattern, normalPath } from './pathPatterns';
import { baseName } from './programName';
import { ruleText } from './ruleText';
import type { PathContext, PermissionRule, PermissionSubject } from './rules';

/** Programs whose second word says what they do. */
const BY_SECOND_WORD = new Set(
  'git cargo go docker kubectl dotnet make gradle ./gradlew mvn ./mvnw pip pip3 gh'.split(' '),
);
const SCRIPT_RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Second words, or third, that run, fetch, send or destroy what is named after them. */
const RUNS_ANY = new Set(
  (
    'exec x dlx run create init foreach bisect filter-branch config alias api extension explore clone ' +
    'install i add get uninstall remove rm delete push publish reset clean checkout restore rebase apply set workspace workspaces'
  ).split(' '),
);
/** Second words whose third says what they do; of `gh` they all are. */
const GROUPS = new Set(
  (
    'submodule stash remote worktree notes bundle lfs flow compose container image volume network system ' +
    'context builder buildx rollout pkg store cache env mod tool auth'
  ).split(' '),
);
/** What these do comes from what is piped into them. */
const RUNS_INPUT =
  /^(xargs|parallel|sh|(ba|z|da|k|fi)sh|python[\d.]*|node|deno|bun|perl|ruby|php|pwsh|psql|mysql|sqlite3)$/;
/** Programs that only read or print, with whatever options. */
const READERS = new Set('ls cat head tail wc grep pwd echo which'.split(' '));

const PATH_KINDS = new Set(['read', 'edit', 'search']);
const FILE_KINDS = new Set(['delete', 'move']);
/** Folders whose files make programs run. */
const ACTS = new Set(['.git', '.vscode', '.idea', '.husky', '.github']);

/**
 * Narrow rules that would allow this from now on, for every agent, to be offered to the person; empty where none is safe to offer.
 * What is offered was tried: `decide` allows the subject by these rules.
 */
export function suggestRules(subject: PermissionSubject, context: PathContext): PermissionRule[] {
  const rules = candidates(subject, context);
  if (!rules || rules.length === 0) return [];
  const scoped = rules.map((rule) => ({ rule, scope: 'session' as const }));
  return decide(scoped, subject, context).effect === 'allow' ? rules : [];
}

function candidates(subject: PermissionSubject, context: PathContext): PermissionRule[] | undefined {
  if (subject.command) return commandRules(subject, context.windows);
  if (subject.kind === 'execute') return undefined;
  if (subject.tool !== undefined && isMcpTool(subject.tool)) return [{ effect: 'allow', tool: subject.tool }];
  return pathRules(subject, context);
}

function isMcpTool(tool: string): boolean {
  return tool.length <= MAX_TOOL && /^mcp__[\w.-]+?__[\w.-]+$|^[\w-]+\/[\w.-]+$/.test(tool);
}

function commandRules({ command }: PermissionSubject, windows: boolean): PermissionRule[] | undefined {
  if (!command) return undefined;
  const { parts, sure } = partsOf(command, windows);
  if (!sure) return undefined;
  const rules = parts.map((part) => commandRule(part, windows));
  const known = rules.filter((rule) => rule !== undefined);
  if (known.length < rules.length) return undefined;
  return [...new Map(known.map((rule) => [ruleText(rule), rule])).values()];
}

/** What is not known by its first words is allowed as it is: `rm -rf dist` is not to allow `rm -rf dist ~`. */
function commandRule(part: readonly string[], windows: boolean): PermissionRule | undefined {
  const [program = '', ...rest] = part;
  const name = baseName(program);
  const fromInput = rest.every((word) => /^-\w?$/.test(word)) || /^(xargs|parallel)$/.test(name);
  if (RUNS_INPUT.test(name) && fromInput) return undefined;
  const known = knownWords(part);
  const command = commandFor(part.slice(0, known), windows);
  if (command === undefined) return undefined;
  return { effect: 'allow', command, ...(known === undefined ? { exact: true } : {}) };
}

/** Words as a rule's text; undefined where they cannot be written as one. */
function commandFor(words: readonly string[], windows: boolean): string | undefined {
  const text = words.map((word) => quoted(word, windows)).join(' ');
  const read = ruleWords(text, windows);
  const same = read?.length === words.length && read.every((word, index) => word === words[index]);
  return same ? text : undefined;
}

const plain = (word: string): boolean => /^\w[\w:.-]*$/.test(word);

/** How many first words a rule takes; undefined where they do not say what the part does. */
function knownWords(part: readonly string[]): number | undefined {
  const [program = '', second = '', third = ''] = part;
  if (READERS.has(program)) return 1;
  if (SCRIPT_RUNNERS.has(program) && /^run(-script)?$/.test(second)) return plain(third) ? 3 : undefined;
  const known = SCRIPT_RUNNERS.has(program) || BY_SECOND_WORD.has(program);
  if (!known || !tells(second)) return undefined;
  return isGroup(program, second) ? afterGroup(third) : 2;
}

const isGroup = (program: string, second: string): boolean => program === 'gh' || GROUPS.has(second);

const afterGroup = (third: string): number | undefined => (tells(third) ? 3 : undefined);

const tells = (word: string): boolean => plain(word) && !RUNS_ANY.has(word);

function quoted(word: string, windows: boolean): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return windows ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

function pathRules({ kind, paths }: PermissionSubject, context: PathContext): PermissionRule[] | undefined {
  if (!PATH_KINDS.has(kind) && !FILE_KINDS.has(kind)) return undefined;
  const relative = paths.map(({ path }) => relativePath(path, context));
  const known = relative.filter((names) => names !== undefined);
  if (known.length < relative.length || known.some((names) => names.some((name) => ACTS.has(name))))
    return undefined;
  const pattern = patternFor(known, FILE_KINDS.has(kind));
  return pattern === undefined ? undefined : [{ effect: 'allow', kind, path: pattern }];
}

/** The folder that all are in, or the one file where that is a root or files are to be named. */
function patternFor(paths: readonly string[][], onlyFiles: boolean): string | undefined {
  const [first = []] = paths;
  const folder = onlyFiles ? [] : commonFolder(paths);
  if (folder.length === 0 && paths.some((path) => path.join('/') !== first.join('/'))) return undefined;
  const names = (folder.length > 0 ? folder : first).map(literalPattern);
  // A pattern from `~` would be one of the home folder.
  if (names.length === 0 || names.includes(undefined) || names[0] === '~') return undefined;
  return [...names, ...(folder.length > 0 ? ['**'] : [])].join('/');
}

/** The names below the innermost root; undefined outside of all. */
function relativePath(path: string, context: PathContext): string[] | undefined {
  const normal = normalPath(path, context);
  if (normal === undefined) return undefined;
  const roots = context.roots.map((root) => normalPath(root, context) ?? '');
  const around = roots.filter((root) => root !== '' && isInside(normal, root, context));
  const [root] = around.sort((a, b) => b.length - a.length);
  return root === undefined ? undefined : normal.slice(root.length).split('/').filter(Boolean);
}

function commonFolder(paths: readonly (readonly string[])[]): string[] {
  const folders = paths.map((path) => path.slice(0, -1));
  const [first = [], ...others] = folders;
  const end = first.findIndex((name, index) => others.some((folder) => folder[index] !== name));
  return end < 0 ? [...first] : first.slice(0, end);
}
