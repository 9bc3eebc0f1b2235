import { readFile } from 'node:fs/promises';
import { overwriteFile } from '../../../src/host/files/plainWrite';

/** Writes more than this process may, as its limit of file sizes is low, and prints why it failed. */
const [, , path = ''] = process.argv;
process.on('SIGXFSZ', () => undefined);
void readFile(path)
  .then((bytes) => overwriteFile(path, bytes, Buffer.alloc(1 << 20, 'x')))
  .then(String, (error: unknown) => String((error as NodeJS.ErrnoException).code))
  .then((result) => process.stdout.write(result));
