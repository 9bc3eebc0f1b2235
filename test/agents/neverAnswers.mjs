// Reads everything and answers nothing.
process.stderr.write('waiting for something\n');
process.stdin.resume().on('end', () => process.exit(0));
