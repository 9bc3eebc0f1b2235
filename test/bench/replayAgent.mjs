// An ACP agent that answers `session/load` after so many updates, written in pieces of 64 KiB.
//   node test/bench/replayAgent.mjs UPDATES
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { replayLines } from './replayStream.mjs';

const count = Number(process.argv[2] ?? 30_000);
const pieceLength = 65_536;

async function replay() {
  let piece = '';
  const flush = async () => {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
    piece = '';
  };
  for (const line of replayLines(count)) {
    piece += line;
    if (piece.length >= pieceLength) await flush();
  }
  await flush();
}

const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'replay', title: 'Replay', version: '1.0.0' },
    agentCapabilities: { loadSession: true },
  }),
  'session/load': async () => {
    await replay();
    return {};
  },
};
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = await answers[method]?.();
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} }));
});
