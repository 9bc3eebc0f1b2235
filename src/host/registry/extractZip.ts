import { createWriteStream } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { linkStaysInside, type Budget } from './extractArchive';

const TYPE = 0o170000;
const SYMLINK = 0o120000;
/** Bytes of a path. */
const MAX_LINK = 4_096;

/**
 * Takes a zip apart into an empty folder.
 *
 * @throws Error, also for a path or a link that leads out of the folder
 */
export async function extractZip(archive: string, into: string, budget: Budget): Promise<void> {
  // It refuses paths that are absolute or have `..`.
  const zip = await openPromise(archive, { lazyEntries: true, autoClose: false });
  const links: { path: string; target: string }[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      budget.take(entry.uncompressedSize);
      const path = entry.fileName;
      const mode = entry.externalFileAttributes >>> 16;
      if ((mode & TYPE) === SYMLINK) links.push({ path, target: await linkTarget(zip, entry) });
      else if (path.endsWith('/')) await mkdir(join(into, path), { recursive: true });
      else await writeEntry(zip, entry, { file: join(into, path), mode });
    }
  } finally {
    zip.close();
  }
  // Last, so that nothing is written through one.
  for (const { path, target } of links) {
    await mkdir(dirname(join(into, path)), { recursive: true });
    await symlink(target, join(into, path));
  }
}

async function writeEntry(
  zip: ZipFile,
  entry: Entry,
  { file, mode }: { file: string; mode: number },
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const isProgram = (mode & 0o111) !== 0;
  // `wx`: two entries of one name are no archive of ours.
  await pipeline(
    await zip.openReadStreamPromise(entry),
    createWriteStream(file, { flags: 'wx', mode: isProgram ? 0o755 : 0o644 }),
  );
}

async function linkTarget(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > MAX_LINK) throw new Error(`the link "${entry.fileName}" is too long`);
  const target = (await buffer(await zip.openReadStreamPromise(entry))).toString('utf8');
  if (!linkStaysInside(entry.fileName, target))
    throw new Error(`the link "${entry.fileName}" leads out of it`);
  return target;
}
