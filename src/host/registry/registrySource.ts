import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseRegistry, type RegistryDocument } from '../../core/agents/registryDocument';
import { asNumber, asObject, asString } from '../../core/json';
import { InstallFailure, messageOf } from './installFailure';
import { openAddress } from './openAddress';

/** ms after which a kept registry is compared with the one on the network. */
const FRESH = 60 * 60 * 1_000;
/** ms for the whole answer. */
const TIME_LIMIT = 20_000;
/** Bytes; the public registry has some 60 KB. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The registry as it was read. */
export interface ReadRegistry extends RegistryDocument {
  /** ms since the epoch at which the network last confirmed it. */
  checkedAt: number;
  /** Why the network did not confirm it now; absent where it did, or was not asked. */
  problem?: string;
}

interface Kept {
  address: string;
  checkedAt: number;
  etag: string;
  lastModified: string;
  text: string;
}

/** With what was read out of its text. */
type Understood = Kept & { document: RegistryDocument };

const answer = ({ document, checkedAt }: Understood): ReadRegistry => ({ ...document, checkedAt });

export interface RegistrySourceOptions {
  /** Read anew each time. */
  address: () => string;
  /** Where the last answer is kept. */
  file: string;
  now: () => number;
}

/** Reads the registry: from the network at most once an hour, and from the last answer where the network does not answer. */
export class RegistrySource {
  constructor(private readonly options: RegistrySourceOptions) {}

  /**
   * @param anew true asks the network even if it was asked within the hour
   * @throws InstallFailure where there is nothing to show, and for `signal`
   */
  async read(anew: boolean, signal: AbortSignal): Promise<ReadRegistry> {
    const address = this.options.address();
    const kept = await this.kept(address);
    if (!anew && kept && this.isFresh(kept.checkedAt)) return answer(kept);
    try {
      return await this.ask(address, kept, signal);
    } catch (error) {
      if (signal.aborted) throw new InstallFailure({ reason: 'cancelled' });
      const message = messageOf(error);
      if (!kept) throw new InstallFailure({ reason: 'noRegistry', message });
      return { ...answer(kept), problem: message };
    }
  }

  /** One that was checked in the future tells of a clock that was wrong. */
  private isFresh(checkedAt: number): boolean {
    const age = this.options.now() - checkedAt;
    return age >= 0 && age < FRESH;
  }

  private async ask(
    address: string,
    kept: Understood | undefined,
    signal: AbortSignal,
  ): Promise<ReadRegistry> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (kept?.etag) headers['if-none-match'] = kept.etag;
    if (kept?.lastModified) headers['if-modified-since'] = kept.lastModified;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT)]);
    const response = await openAddress(address, { headers, signal: limited });
    const unchanged = response.status === 304 && kept !== undefined;
    if (!response.ok && !unchanged) throw new Error(`${address} answered ${response.status}`);
    const text = unchanged ? kept.text : await textOf(response);
    const document = parseText(text);
    if (!document) throw new Error(`${address} is not a registry of agents`);
    const checkedAt = this.options.now();
    const answered = (name: string, before: string | undefined): string =>
      response.headers.get(name) ?? (unchanged ? (before ?? '') : '');
    await this.keep({
      address,
      checkedAt,
      etag: answered('etag', kept?.etag),
      lastModified: answered('last-modified', kept?.lastModified),
      text,
    });
    return { ...document, checkedAt };
  }

  private async kept(address: string): Promise<Understood | undefined> {
    let value: unknown;
    try {
      value = JSON.parse(await readFile(this.options.file, 'utf8'));
    } catch {
      return undefined; // Never read, or broken: then the network is asked.
    }
    const row = asObject(value);
    const text = asString(row['text']);
    const document = text === undefined ? undefined : parseText(text);
    // That of another registry says nothing about this one.
    if (row['address'] !== address || text === undefined || !document) return undefined;
    return {
      address,
      text,
      document,
      checkedAt: asNumber(row['checkedAt']) ?? 0,
      etag: asString(row['etag']) ?? '',
      lastModified: asString(row['lastModified']) ?? '',
    };
  }

  private async keep(kept: Kept): Promise<void> {
    const { file } = this.options;
    await mkdir(dirname(file), { recursive: true });
    const part = `${file}.${process.pid}.part`;
    await writeFile(part, JSON.stringify(kept));
    await rename(part, file);
  }
}

function parseText(text: string): RegistryDocument | undefined {
  try {
    return parseRegistry(JSON.parse(text));
  } catch {
    return undefined; // No JSON: a page that asks for a sign-in, for instance.
  }
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`the registry has more than ${MAX_BYTES / 1024 / 1024} MB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
