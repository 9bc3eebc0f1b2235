import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { InstallFailure, messageOf } from './installFailure';
import { openAddress } from './openAddress';

/** Bytes; the largest agents have some 200 MB. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** ms without a byte after which the connection counts as lost. */
const STALL = 60_000;

export interface DownloadOptions {
  signal: AbortSignal;
  /** Hex digits in lower case; absent where nobody gave one. */
  sha256?: string;
  /** Bytes so far, and all of them where the server says how many. */
  onProgress?: (bytes: number, total: number | undefined) => void;
  maxBytes?: number;
}

/**
 * Writes what lies at an address into a file, and checks its hash.
 *
 * @throws InstallFailure; the file is then incomplete or wrong, and its folder should go
 */
export async function download(address: string, file: string, options: DownloadOptions): Promise<void> {
  const { signal, sha256, maxBytes = MAX_BYTES } = options;
  const stalled = new AbortController();
  const watch = setTimeout(() => stalled.abort(new Error('no data for 60 seconds')), STALL);
  const hash = createHash('sha256');
  try {
    // The bytes as they lie there: a hash is not that of what was packed for the way.
    const headers = { 'accept-encoding': 'identity' };
    const response = await openAddress(address, {
      headers,
      signal: AbortSignal.any([signal, stalled.signal]),
    });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const total = Number(response.headers.get('content-length')) || undefined;
    let bytes = 0;
    const take = (part: Uint8Array): Uint8Array => {
      watch.refresh();
      bytes += part.byteLength;
      if (Math.max(bytes, total ?? 0) > maxBytes)
        throw new InstallFailure({ reason: 'tooLarge', address, megabytes: Math.floor(maxBytes / 2 ** 20) });
      hash.update(part);
      options.onProgress?.(bytes, total);
      return part;
    };
    await write(file, response.body ?? [], take);
  } catch (error) {
    if (signal.aborted) throw new InstallFailure({ reason: 'cancelled' });
    if (error instanceof InstallFailure) throw error;
    throw new InstallFailure({ reason: 'download', address, message: messageOf(error) });
  } finally {
    clearTimeout(watch);
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256)
    throw new InstallFailure({ reason: 'wrongHash', address });
}

async function write(
  file: string,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  take: (part: Uint8Array) => Uint8Array,
): Promise<void> {
  const target = await open(file, 'wx');
  try {
    for await (const part of parts) await target.writeFile(take(part));
  } finally {
    await target.close();
  }
}
