import { visibleText } from '../visibleText';
import { toAsciiLabel } from './punycode';

/** What a person should be warned of before a page opens (EL-24). */
export type UrlWarning = 'notHttps' | 'punycode' | 'userInfo' | 'unusualPort' | 'mixedScripts' | 'ipAddress';

/** The address of a page that an agent wants to be opened, taken apart (EL-21, EL-24). */
export interface UrlView {
  /** False where the text is no address that every browser reads the same way. */
  valid: boolean;
  /** The text as it came; nothing else may be shown or opened (EL-22). */
  href: string;
  /** As it stands in the address, without port; empty where there is none. */
  host: string;
  /** The name that is really looked up, in lower case; other scripts in Punycode. */
  asciiHost: string;
  warnings: UrlWarning[];
  /** True for https, and for http to this machine. */
  allowed: boolean;
}

/** Longest address that is taken, in UTF-16 units. */
export const MAX_URL = 8_000;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;
const AUTHORITY = /^(?:(.*)@)?(\[[^\]]*\]|[^:[\]]*)(?::(\d{0,5}))?$/;
const USUAL_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
/** Those that are not listed count as one. */
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hangul}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u,
];

/** Takes the address of a page apart, strictly: what browsers repair, such as a backslash or a missing slash, is not valid here. */
export function inspectUrl(text: string): UrlView {
  const invalid = { valid: false, href: text, host: '', asciiHost: '', warnings: [], allowed: false };
  const parts = readParts(text);
  if (!parts) return invalid;
  const { scheme, host, asciiHost } = parts;
  const allowed = scheme === 'https' || (scheme === 'http' && LOOPBACK.includes(asciiHost));
  return { valid: true, href: text, host, asciiHost, warnings: warningsOf(parts), allowed };
}

interface UrlParts {
  /** In lower case. */
  scheme: string;
  userInfo: string | undefined;
  host: string;
  asciiHost: string;
  /** Digits; empty where none is given. */
  port: string;
}

function readParts(text: string): UrlParts | undefined {
  if (text.length > MAX_URL || /[\s\\]/.test(text) || visibleText(text) !== text) return undefined;
  const [, scheme, authority] = PARTS.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) return undefined;
  const [, userInfo, host = '', port = ''] = AUTHORITY.exec(authority) ?? [];
  const asciiHost = toAsciiHost(host);
  if (asciiHost === undefined || Number(port) > 65_535) return undefined;
  return { scheme: scheme.toLowerCase(), userInfo, host, asciiHost, port };
}

function warningsOf({ scheme, userInfo, host, asciiHost, port }: UrlParts): UrlWarning[] {
  const isLocal = LOOPBACK.includes(asciiHost);
  const found: Record<UrlWarning, boolean> = {
    notHttps: scheme !== 'https',
    punycode: asciiHost.split('.').some((label) => label.startsWith('xn--')),
    userInfo: userInfo !== undefined,
    unusualPort: port !== '' && !isLocal && Number(port) !== Number(USUAL_PORTS[scheme]),
    mixedScripts: host.split('.').some(mixesScripts),
    ipAddress: !isLocal && (asciiHost.startsWith('[') || isNumeric(asciiHost)),
  };
  return (Object.keys(found) as UrlWarning[]).filter((warning) => found[warning]);
}

/** The host as it is looked up; undefined where it is none, or one that browsers would still rewrite. */
function toAsciiHost(host: string): string | undefined {
  if (host.startsWith('[')) return isIpv6(host.slice(1, -1)) ? host.toLowerCase() : undefined;
  if (host.normalize('NFKC') !== host) return undefined;
  const name = host.toLowerCase();
  const labels = name.replace(/\.$/, '').split('.');
  if (!labels.every((label) => /^[\p{L}\p{M}\p{N}_-]{1,63}$/u.test(label))) return undefined;
  if (isNumeric(name) && !isIpv4(name)) return undefined;
  const ascii = name.split('.').map(toAsciiLabel);
  return ascii.every((label) => label.length <= 63) && ascii.join('.').length <= 254
    ? ascii.join('.')
    : undefined;
}

/** Browsers read a host whose last label is a number as an address, also `0x7f.1` or one big number. */
function isNumeric(host: string): boolean {
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/.test(host);
}

function isIpv4(host: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/.test(host) && !host.endsWith('.');
}

function isIpv6(address: string): boolean {
  const groups = address.split(/::?/).filter((group) => group !== '');
  const isShort = address.includes('::');
  const wellFormed = groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group));
  const oneGap = address.split('::').length <= 2 && !/:::|^:[^:]|[^:]:$/.test(address);
  return wellFormed && oneGap && (isShort ? groups.length <= 7 : groups.length === 8);
}

function mixesScripts(label: string): boolean {
  const letters = label.match(/\p{L}/gu) ?? [];
  return new Set(letters.map((letter) => SCRIPTS.findIndex((script) => script.test(letter)))).size > 1;
}
