import { readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { IPty } from 'node-pty';

/** Most that is read in one go after the exit, in bytes: something that still runs may print for ever. */
const DRAIN_LIMIT = 1 << 20;

interface Internals {
  _socket?: { destroy(error?: Error): unknown; read?(): unknown; destroyed?: boolean };
  _fd?: number;
}

/**
 * Delivers what a command printed last. 200 ms after the exit node-pty destroys the socket that it reads the pty through, whether or
 * not all was read; a paused socket or a busy event loop would lose the end of the output. So the rest is read just before that.
 * Needs two private fields of node-pty (its version is pinned); without them nothing changes.
 */
export function drainOnDestroy(pty: IPty, onData: (text: string) => void): void {
  const { _socket: socket, _fd: fd } = pty as IPty & Internals;
  if (process.platform === 'win32' || typeof fd !== 'number' || typeof socket?.destroy !== 'function') return;
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    // With an error the read itself failed: all was read.
    if (error === undefined && socket.destroyed !== true) {
      // What the socket holds already goes out by its own data event.
      socket.read?.();
      readRest(fd, onData);
    }
    return destroy(error);
  };
}

function readRest(fd: number, onData: (text: string) => void): void {
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.alloc(65_536);
  try {
    for (let total = 0; total < DRAIN_LIMIT;) {
      const count = readSync(fd, chunk, 0, chunk.length, null);
      if (count === 0) break;
      total += count;
      onData(decoder.write(chunk.subarray(0, count)));
    }
  } catch {
    // EAGAIN: nothing is left; EIO: the other side is closed.
  }
  const rest = decoder.end();
  if (rest !== '') onData(rest);
}
