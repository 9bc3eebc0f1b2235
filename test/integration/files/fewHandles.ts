import { closeSync, openSync } from 'node:fs';
import { createFile } from '../../../src/host/files/plainWrite';

/** Makes a file while this process may open no more files, and prints why it failed. */
const [, , path = ''] = process.argv;
const open: number[] = [];
try {
  for (;;) open.push(openSync('/dev/null', 'r'));
} catch {
  void createFile(path, Buffer.from('new'))
    .then(String, (error: unknown) => String((error as NodeJS.ErrnoException).code))
    .then((result) => {
      open.forEach((file) => closeSync(file));
      process.stdout.write(result);
    });
}
