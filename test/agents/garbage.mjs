// Is no ACP agent at all: answers each line with something else.
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  console.log('usage: garbage [options]');
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: 'hello' }));
});
