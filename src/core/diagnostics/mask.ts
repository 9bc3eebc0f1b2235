import { isObject } from '../json';
import { folderName, homePattern, inAddress, literal, userPattern } from './homeFolder';
import { countsTokens, namesSecret, namesSecretInAddress } from './secretNames';

/** What stands in the place of a secret. */
export const MASKED = '[masked]';

/** What stands in the place of the person's name in a path. */
const SOMEBODY = '[user]';

export interface MaskOptions {
  /** The home folder, which becomes `~`; empty for none. */
  home: string;
  /** Name of the account, where it is not the last part of the home folder. */
  user?: string;
  /** Texts that are known to be secret, such as values of an agent's environment; shorter ones than four characters are left. */
  secrets?: readonly string[];
}

/** One replacement in a text. */
type Step = (text: string) => string;

const SHORTEST_SECRET = 4;

/** A block of a private key, whole or cut off. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;

/** Forms that services give their keys. */
const KEYS = new RegExp(
  [
    String.raw`(?:sk|pk|rk)[-_](?=[\w-]{0,400}\d)[\w-]{12,}`,
    String.raw`gh[opsur]_[A-Za-z0-9]{16,}`,
    String.raw`github_pat_\w{16,}`,
    String.raw`(?:glpat|xai|pypi)-[\w-]{16,}`,
    String.raw`xox[a-z]-[\w-]{8,}`,
    String.raw`AIza[\w-]{30,}`,
    String.raw`ya29\.[\w-]{16,}`,
    String.raw`A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])`,
    String.raw`(?:hf|gsk|npm|r8)_[A-Za-z0-9]{20,}`,
    String.raw`eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}`,
  ]
    .map((form) => `(?:${form})`)
    .join('|')
    .replace(/^/, String.raw`(?<![A-Za-z0-9])(?:`) + ')',
  'g',
);

/** A scheme of HTTP, and what it proves. */
const SCHEME = /\b(Bearer|Basic|Digest|Negotiate)( +)(?=\S{0,400}[\d=]|\S{20})[\w.~+/=-]{8,}/gi;

/** Headers, to the end of the line or of what quotes them. */
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-[a-z-]{0,40}(?:key|token|secret))(: *)[^\r\n"'\\]+/gi;

/** User and password in an address. */
const USERINFO = /\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#"'<>\\]{1,2000}@/gi;

const PARAMETER = /([?&#;])([\w.-]{1,80})=([^&#\s"'<>\\;]+)/g;

const VALUE = String.raw`\[masked\]|"[^"\r\n]*"|'[^'\r\n]*'|\\"[^"\\\r\n]*\\"|[^\s"',;&)}\]\\]+`;

/** `NAME=value`, `name: value`, `"name": "value"`, also where JSON is inside of a string. */
const ASSIGNED = new RegExp(
  String.raw`(?<![\w.-])(-{0,2}[A-Za-z_][\w.-]{0,80})(\\?["']?\s{0,3}[=:]\s{0,3})(${VALUE})`,
  'g',
);

/** `--api-key value`. */
const OPTION = new RegExp(String.raw`(?<![\w-])(--?[A-Za-z][\w-]{0,60})([ \t]+)(?!-)(${VALUE})`, 'g');

/** A word for keys alone says little; before something long that no language has, it says enough. */
const LONG =
  /(?<![\w.-])(key|token|sig|signature|nonce|auth)(["']?\s?[=:]\s?["']?)(?=\S{0,400}\d)[\w+/=.-]{20,}/gi;

const STEPS: readonly Step[] = [
  (text) => text.replace(PRIVATE_KEY, MASKED),
  (text) => text.replace(KEYS, MASKED),
  (text) => text.replace(HEADER, `$1$2${MASKED}`),
  (text) => text.replace(SCHEME, `$1$2${MASKED}`),
  (text) => text.replace(USERINFO, `$1${MASKED}@`),
  (text) =>
    text.replace(PARAMETER, (whole, mark: string, name: string) =>
      namesSecretInAddress(name) ? `${mark}${name}=${MASKED}` : whole,
    ),
  (text) => text.replace(ASSIGNED, maskAssigned),
  (text) =>
    text.replace(OPTION, (whole, name: string, space: string, value: string) =>
      namesSecret(name) ? name + space + inQuotes(value) : whole,
    ),
  (text) => text.replace(LONG, `$1$2${MASKED}`),
];

/**
 * Makes a function that takes out of a text what others must not read: the home folder in all its spellings, the person's name in
 * paths, known secrets, and what looks like a key or stands where keys stand. It takes rather too much than too little, and a second time
 * it changes nothing.
 */
export function createMasker({ home, user, secrets = [] }: MaskOptions): (text: string) => string {
  const known = knownSecrets(secrets);
  const folder = homePattern(home);
  const person = userPattern([folderName(home), ...(user === undefined ? [] : [user])]);
  const steps: readonly Step[] = [
    (text) => (known ? text.replace(known, MASKED) : text),
    ...STEPS,
    (text) => (folder ? text.replace(folder, '~') : text),
    (text) => (person ? text.replace(person, SOMEBODY) : text),
  ];
  return (text) => maskFully(text, steps);
}

const MOST_PASSES = 8;

/** What one step took out may have hidden from another where a word begins. */
function maskFully(text: string, steps: readonly Step[]): string {
  let masked = text;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = masked;
    for (const step of steps) masked = step(masked);
    if (masked === before) break;
  }
  return masked;
}

/** Deeper than any message of the protocol; what lies below is masked as a whole. */
const MAX_DEPTH = 200;

/**
 * The same value with every text masked, names of fields included. What stands under a name of a secret is masked as a whole, and so
 * are all values of environments and headers. Counts of tokens stay.
 */
export function maskJson(value: unknown, mask: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return mask(value);
  if (depth > MAX_DEPTH) return MASKED;
  if (Array.isArray(value)) return maskList(value, mask, depth);
  if (!isObject(value)) return value;
  const taken = new Set<string>();
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      unused(mask(name), taken),
      hides(name, item, value) ? hidden(item) : maskField(name, item, { mask, depth }),
    ]),
  );
}

interface Where {
  mask: (text: string) => string;
  depth: number;
}

function maskField(name: string, item: unknown, { mask, depth }: Where): unknown {
  return /^(env|headers)$/i.test(name) ? maskValues(item, { mask, depth }) : maskJson(item, mask, depth + 1);
}

/** An environment or headers, as an object or as the protocol's list of names and values. */
function maskValues(item: unknown, { mask, depth }: Where): unknown {
  if (Array.isArray(item)) {
    return item.map((entry: unknown) =>
      isObject(entry) && 'value' in entry
        ? { ...asRecord(maskJson(entry, mask, depth + 2)), value: hidden(entry['value']) }
        : maskJson(entry, mask, depth + 2),
    );
  }
  if (!isObject(item)) return maskJson(item, mask, depth + 1);
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [mask(name), hidden(value)]));
}

function asRecord(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** Arguments of a program: the value of an option may stand in the item after it. */
function maskList(list: readonly unknown[], mask: (text: string) => string, depth: number): unknown[] {
  return list.map((item, at) => {
    const before = list[at - 1];
    const isValue = typeof before === 'string' && /^--?[A-Za-z][\w-]*$/.test(before) && namesSecret(before);
    return isValue && typeof item === 'string' && !item.startsWith('-')
      ? hidden(item)
      : maskJson(item, mask, depth + 1);
  });
}

/** True where the field is masked whole; a `value` is where the `name` beside it says so. */
function hides(name: string, item: unknown, owner: Readonly<Record<string, unknown>>): boolean {
  if (name === 'value' && typeof owner['name'] === 'string') return namesSecret(owner['name']);
  if (countsTokens(name)) return typeof item === 'string' && !/^\d*$/.test(item);
  return namesSecret(name);
}

/** Nothing stays nothing, so that it is still seen whether there was a value. */
function hidden(item: unknown): unknown {
  return item === '' || item === null || item === undefined || typeof item === 'boolean' ? item : MASKED;
}

/** Two names may become one by masking; neither field is lost. */
function unused(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} (${String(count)})`;
  taken.add(free);
  return free;
}

function maskAssigned(whole: string, name: string, sign: string, value: string): string {
  if (!namesSecret(name)) return whole;
  // "Unexpected token: end" is a message.
  const said = /^(?:tokens?|bearer)$/i.test(name) && /^\s*:/.test(sign) && !/^(?=.*\d).{8,}/.test(value);
  const counted = countsTokens(name) && /^\d{1,12}$/.test(value);
  return said || counted ? whole : name + sign + inQuotes(value);
}

/** Masks a value and leaves its quotes. */
function inQuotes(value: string): string {
  const quote = /^(\\?["'])[^]*\1$/.exec(value)?.[1] ?? '';
  return value.length === quote.length * 2 ? value : quote + MASKED + quote;
}

/** The known secrets as they are, in an address and in JSON; longer ones first, since one may begin another. */
function knownSecrets(secrets: readonly string[]): RegExp | undefined {
  const forms = secrets
    .filter((secret) => secret.trim().length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), ...inAddress(secret)]);
  if (forms.length === 0) return undefined;
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length);
  // What is masked already is passed over: a secret may be a part of that word.
  return new RegExp([MASKED, ...longestFirst].map(literal).join('|'), 'gu');
}
