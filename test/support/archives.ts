import { createHash } from 'node:crypto';
import { crc32, gzipSync } from 'node:zlib';
import { Header } from 'tar';

/** An entry of an archive in a test, with nothing checked. */
export interface ArchiveEntry {
  path: string;
  text?: string;
  mode?: number;
  /** Target of a link. */
  link?: string;
  /** A hard link where there is a target. */
  hard?: boolean;
}

export const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

/** A tar with whatever paths it is given. */
export function tarOf(...entries: ArchiveEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, text = '', mode = 0o644, link, hard = false }) => {
    const data = Buffer.from(link === undefined ? text : '');
    const type = link === undefined ? 'File' : hard ? 'Link' : 'SymbolicLink';
    const header = new Header({
      path,
      mode,
      size: data.length,
      type,
      ...(link === undefined ? {} : { linkpath: link }),
    });
    const block = Buffer.alloc(512);
    header.encode(block, 0);
    return [block, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export const tarGzOf = (...entries: ArchiveEntry[]): Buffer => gzipSync(tarOf(...entries));

/** A zip with whatever paths it is given, nothing compressed. */
export function zipOf(...entries: ArchiveEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, text = '', mode = 0o644, link } of entries) {
    const name = Buffer.from(path);
    const data = Buffer.from(link ?? text);
    const kind = link === undefined ? 0o100000 : 0o120000;
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(crc32(data), 0);
    sizes.writeUInt32LE(data.length, 4);
    sizes.writeUInt32LE(data.length, 8);
    sizes.writeUInt16LE(name.length, 12);
    const start = Buffer.from([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), start, sizes, name, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((kind | mode) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    // Made on Unix, so that the rights count.
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), start, sizes, tail, name]));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}
