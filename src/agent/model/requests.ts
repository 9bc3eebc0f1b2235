import { Masked } from './quotes';

/** One thing to do, as a tool can do it. Paths are as the person typed them. */
export type Step =
  | { do: 'read'; path: string }
  | { do: 'list'; path: string }
  | { do: 'search'; text: string; path: string }
  | { do: 'replace'; path: string; from: string; to: string }
  | { do: 'create'; path: string; text: string }
  | { do: 'run'; command: string };

/** What a prompt asks for. */
export type Request =
  | { type: 'steps'; steps: Step[] }
  | { type: 'tour' }
  | { type: 'help' }
  | { type: 'compact' }
  | { type: 'count' | 'paragraphs' | 'lorem'; n: number }
  /** Nothing that is understood; the part that was not, if others were. */
  | { type: 'other'; part?: string };

/** Largest numbers that are counted or written to, so that a slip of the finger ends some day. */
const LIMITS = { count: 1000, paragraphs: 500, lorem: 100_000 };

/** Reads a prompt. The same text always gives the same request. */
export function parseRequest(prompt: string): Request {
  const text = prompt.trim();
  return parseWhole(text) ?? parseSteps(text);
}

const HELP = /^(?:\/help\b.*|help|what can you do\??|帮助|你能做什么[?？]?)$/i;
const NUMBERED: readonly [type: 'count' | 'paragraphs' | 'lorem', pattern: RegExp][] = [
  ['count', /^(?:please\s+)?count(?:\s+slowly)?\s+to\s+(\d+)[.!]?$/i],
  ['count', /^(?:请)?(?:慢慢)?(?:地)?数到\s*(\d+)[。！]?$/],
  ['paragraphs', /^(?:please\s+)?write\s+(\d+)\s+paragraphs?[.!]?$/i],
  ['paragraphs', /^(?:请)?写\s*(\d+)\s*段(?:文字|话)?[。！]?$/],
  ['lorem', /^lorem(?:\s+ipsum)?\s+(\d+)$/i],
];

function parseWhole(text: string): Request | undefined {
  if (/^\/tour\b/i.test(text)) return { type: 'tour' };
  if (HELP.test(text)) return { type: 'help' };
  if (/^\/compact(?:\s|$)/i.test(text)) return { type: 'compact' };
  for (const [type, pattern] of NUMBERED) {
    const [, number] = pattern.exec(text) ?? [];
    if (number !== undefined) return { type, n: Math.min(Number(number), LIMITS[type]) };
  }
  return undefined;
}

function parseSteps(text: string): Request {
  const masked = Masked.of(text);
  if (!masked) return { type: 'other' };
  const parts = masked.split(SEPARATOR);
  const steps = parts.map((part) => parseStep(part, masked));
  const unclear = steps.findIndex((step) => step === undefined);
  const understood = steps.filter((step) => step !== undefined);
  if (unclear < 0 && understood.length > 0) return { type: 'steps', steps: understood };
  const part = parts[unclear];
  return understood.length > 0 && part !== undefined
    ? { type: 'other', part: masked.raw(part) }
    : { type: 'other' };
}

const SEPARATOR = /[\s,;]*\band\s+then\s+|[\s,;]+then\s+|[\s，；,。]*(?:然后|接着)(?:再)?\s*/i;
const POLITE =
  /^(?:\d+[.)]\s+|[-*]\s+|(?:please|first|then)[\s,]+|(?:can|could|would)\s+you\s+(?:please\s+)?|先|请你?|帮我)+/i;

/** A group of the match, without the quotation marks if all of it is quoted; empty if the group is absent. */
type Part = (index: number) => string;

/** A pattern over text in which each quoted part is one character, and what its groups mean. */
interface Rule {
  pattern: RegExp;
  toStep: (part: Part) => Step;
}

function parseStep(part: string, masked: Masked): Step | undefined {
  const text = part.trim().replace(POLITE, '').trim();
  for (const { pattern, toStep } of RULES) {
    const groups = pattern.exec(text);
    if (!groups) continue;
    return toStep((index) => masked.inner(groups[index] ?? ''));
  }
  return undefined;
}

// P: a path, without the full stop or comma of a sentence. Q: a quoted text; W: a quoted text or one word.
const P = String.raw`(\S+?)`;
const Q = `(${Masked.QUOTED})`;
const W = String.raw`(${Masked.QUOTED}|\S+?)`;
const END = String.raw`\s*[.,!?。，！？]?$`;
const FIND = String.raw`(?:search\s+for|search|grep|look\s+for|find)`;
const RUN = String.raw`(?:(?:run|execute)\s+(?:the\s+command\s+)?|(?:运行|执行)(?:命令)?\s*)`;

const rule = (pattern: string, toStep: Rule['toStep']): Rule => ({
  pattern: new RegExp(`^${pattern}${END}`, 'iu'),
  toStep,
});

const RULES: readonly Rule[] = [
  { pattern: /^\$\s*(.+)$/s, toStep: run },
  rule(`${RUN}${Q}`, run),
  { pattern: new RegExp(String.raw`^${RUN}(.+?)(?:(?<=\w)[.。])?$`, 'isu'), toStep: run },

  rule(String.raw`(?:list|ls)(?:\s+(?:the|all|files|folder|directory|in|of))*(?:\s+${P})?`, list),
  rule(
    String.raw`(?:列出|列一下)(?:目录|文件夹|文件)?\s*${P}??\s*(?:目录|文件夹)?(?:[中里下]?的?(?:所有)?(?:文件|内容))?`,
    list,
  ),

  rule(String.raw`${FIND}\s+(.+?)\s+in\s+(?:the\s+folder\s+)?${P}`, (part) => search(part(1), part(2))),
  rule(String.raw`${FIND}\s+(.+?)`, (part) => search(part(1), '.')),
  rule(String.raw`在\s*${P}\s*[中里]?\s*(?:搜索|查找|找)\s*(.+?)`, (part) => search(part(2), part(1))),
  rule(String.raw`(?:搜索|查找|寻找)\s*(.+?)`, (part) => search(part(1), '.')),

  rule(
    String.raw`(?:replace|change)\s+${W}\s+(?:with|by|to|into)\s+${W}\s+in\s+(?:the\s+file\s+)?${P}`,
    (part) => replace(part(3), part(1), part(2)),
  ),
  rule(String.raw`(?:in|edit)\s+${P}[,:]?\s+(?:change|replace)\s+${W}\s+(?:with|by|to|into)\s+${W}`, (part) =>
    replace(part(1), part(2), part(3)),
  ),
  rule(
    String.raw`[在把将]\s*${P}\s*(?:文件)?[中里]?的?\s*[把将]?\s*${Q}\s*(?:替换[为成]|改[成为]|换成)\s*${Q}`,
    (part) => replace(part(1), part(2), part(3)),
  ),

  rule(
    String.raw`(?:create|write|make)\s+(?:an?\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?${P}\s+(?:with|containing)\s+(?:the\s+)?(?:text\s+|content\s+)?${W}`,
    create,
  ),
  rule(String.raw`(?:创建|新建)(?:文件)?\s*${P}\s*[,，]?\s*(?:内容[为是]?|写入)\s*[:：]?\s*${Q}`, create),
  rule(String.raw`create\s+(?:(?:an?\s+)?(?:new\s+)?(?:empty\s+)?file\s+)?${P}`, create),
  rule(String.raw`(?:创建|新建)(?:空?文件)?\s*${P}`, create),

  rule(String.raw`(?:read|show|open|cat|view)\s+(?:me\s+)?(?:the\s+)?(?:file\s+)?${P}`, read),
  rule(String.raw`(?:读取|读|打开|查看|显示|看看|看)(?:一下)?(?:文件)?\s*${P}(?:\s*的?内容)?`, read),
];

function run(part: Part): Step {
  return { do: 'run', command: part(1) };
}

function create(part: Part): Step {
  return { do: 'create', path: part(1), text: unescape(part(2)) };
}

function list(part: Part): Step {
  return { do: 'list', path: part(1) || '.' };
}

function read(part: Part): Step {
  return { do: 'read', path: part(1) };
}

function search(text: string, path: string): Step {
  return { do: 'search', text, path };
}

function replace(path: string, from: string, to: string): Step {
  return { do: 'replace', path, from: unescape(from), to: unescape(to) };
}

/** Line ends and tabs as they are typed on one line. */
function unescape(text: string): string {
  const meaning: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\' };
  return text.replace(/\\([nt"\\])/g, (whole, letter: string) => meaning[letter] ?? whole);
}
