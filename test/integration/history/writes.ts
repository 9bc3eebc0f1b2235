import { open, type FileHandle } from 'node:fs/promises';

async function fileHandle(): Promise<FileHandle> {
  const handle = await open(import.meta.filename);
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

type Write = (buffer: Buffer) => Promise<{ bytesWritten: number }>;

/** Puts another function in the place of what writes to open files, and gives what takes it out again. */
async function wrapWrites(make: (real: Write) => Write): Promise<() => void> {
  const proto = (await fileHandle()) as unknown as { write: Write };
  const real = proto.write;
  proto.write = function (this: FileHandle, buffer) {
    return make(real.bind(this))(buffer);
  };
  return () => (proto.write = real);
}

/** How often files were written to meanwhile. */
export async function countWrites(run: () => Promise<void>): Promise<number> {
  let count = 0;
  const restore = await wrapWrites((real) => (buffer) => {
    count++;
    return real(buffer);
  });
  await run().finally(restore);
  return count;
}

/** Each write takes a few bytes and then the disk is full. */
export async function spoilWrites(bytes: number): Promise<() => void> {
  let taken = false;
  return wrapWrites((real) => async (buffer) => {
    taken = !taken;
    if (!taken) throw new Error('ENOSPC: no space left on device');
    return real(buffer.subarray(0, bytes));
  });
}
