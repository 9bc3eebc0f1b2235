// Ends before it says a word: node exitAtOnce.mjs CODE
process.stderr.write('config file not found\nplease sign in first\n', () =>
  process.exit(Number(process.argv[2] ?? 0)),
);
