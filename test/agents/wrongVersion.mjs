// Answers initialize with the protocol version of its argument (JSON): node wrongVersion.mjs 2
import { createInterface } from 'node:readline';

const protocolVersion = JSON.parse(process.argv[2] ?? '2');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion } }));
});
