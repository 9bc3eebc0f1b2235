import { lookup } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { ToolFailure } from '../tools/tool';
import { isLocalAddress } from './localAddress';

/** Longest URL that is taken, in characters. */
export const MAX_URL = 2_000;

const MAX_REDIRECTS = 5;
/** Most bytes of a page that are loaded. */
const MAX_BYTES = 2 * 1024 * 1024;
const TIME_LIMIT_SECONDS = 30;
const TEXT_TYPES =
  /^(text\/.*|application\/(.*\+)?(json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-sh|sql))$/i;

/** A page as it was loaded. */
export interface WebPage {
  /** After redirects. */
  url: URL;
  /** In lower case and without parameters; empty where the server does not tell. */
  type: string;
  text: string;
  /** The page is longer than what is loaded. */
  isCut: boolean;
}

/** A host of another name that has an address of the local network. */
export class LocalAddressFound extends Error {}

/**
 * Loads a page by GET. A redirect is followed on the same host only, since the person allowed that one.
 *
 * @param how `allowLocal`: the person allowed the local network. Without it a connection to one of its addresses is not made.
 * @throws ToolFailure in one sentence; LocalAddressFound.
 */
export async function loadPage(
  url: URL,
  how: { allowLocal: boolean; signal: AbortSignal; timeLimitMs?: number },
): Promise<WebPage> {
  const time = AbortSignal.timeout(how.timeLimitMs ?? TIME_LIMIT_SECONDS * 1000);
  try {
    return await load(url, how.allowLocal, AbortSignal.any([how.signal, time]));
  } catch (error) {
    if (how.signal.aborted || error instanceof ToolFailure || error instanceof LocalAddressFound) throw error;
    if (time.aborted) throw new ToolFailure('The page did not come in time.');
    throw new ToolFailure(`The page could not be loaded: ${reasonOf(error)}.`);
  }
}

async function load(first: URL, allowLocal: boolean, signal: AbortSignal): Promise<WebPage> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await respond(url, allowLocal, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      url = redirectOf(url, headers.location);
      continue;
    }
    if (statusCode >= 200 && statusCode < 300) return await read(url, response);
    response.destroy();
    throw new ToolFailure(`The server answered with the status ${statusCode}.`);
  }
  throw new ToolFailure('The server redirects without an end.');
}

/** @throws ToolFailure for what is no URL that can be loaded. */
export function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ToolFailure('The address must be a whole http:// or https:// URL.');
  if (url.username !== '' || url.password !== '')
    throw new ToolFailure('The address holds a name or a password; give it without.');
  if (url.href.length > MAX_URL) throw new ToolFailure(`The address is longer than ${MAX_URL} characters.`);
  url.hash = '';
  return url;
}

function redirectOf(from: URL, location: string): URL {
  const to = parseUrl(URL.canParse(location, from.href) ? new URL(location, from.href).href : location);
  const isSameHost = to.host === from.host && (to.protocol === from.protocol || to.protocol === 'https:');
  if (!isSameHost)
    throw new ToolFailure(
      `The page is elsewhere: the server redirects to ${to.href}. Call fetch_url with that address if you need it.`,
    );
  return to;
}

function respond(url: URL, allowLocal: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const headers = {
      'User-Agent': 'Parley',
      Accept: 'text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.1',
      'Accept-Encoding': 'identity',
    };
    // No agent: a connection that stays open could be to an address that was allowed for another call.
    request(url, { signal, headers, agent: false, lookup: lookupFor(allowLocal) }, resolve)
      .once('error', reject)
      .end();
  });
}

/** Looks at the address that is really connected to, since a name may have any. */
function lookupFor(allowLocal: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error ?? !first) callback(error ?? new Error('no address'), '', 0);
      else if (!allowLocal && addresses.some(({ address }) => isLocalAddress(address)))
        callback(new LocalAddressFound(), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

async function read(url: URL, response: IncomingMessage): Promise<WebPage> {
  const contentType = response.headers['content-type'] ?? '';
  const type = contentType.replace(/;.*$/s, '').trim().toLowerCase();
  const encoding = response.headers['content-encoding'] ?? 'identity';
  const isText = (type === '' || TEXT_TYPES.test(type)) && encoding === 'identity';
  if (!isText) {
    response.destroy();
    const what = encoding === 'identity' ? type : `compressed (${encoding})`;
    throw new ToolFailure(`The page is no text that can be read: ${what.slice(0, 100)}.`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, MAX_BYTES);
  if (bytes.includes(0)) throw new ToolFailure('The page is no text that can be read.');
  return { url, type, text: decode(bytes, contentType), isCut: size > MAX_BYTES };
}

function decode(bytes: Buffer, contentType: string): string {
  const inPage = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 1024))?.[1];
  const label = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? inPage ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ECONNREFUSED: 'the host refuses the connection',
  ECONNRESET: 'the host ended the connection',
};

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const known = typeof code === 'string' ? (REASONS[code] ?? code) : undefined;
  return known ?? (typeof message === 'string' && message !== '' ? message : 'the connection failed');
}
