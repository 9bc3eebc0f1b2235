// Prints all sorts of things to stdout that are no messages, between, before and behind those that are.
// node noisy.mjs [--mute]: --mute answers nothing
import { flag, lineOf, serve, updateOf, words } from './line.mjs';

const print = (text) => process.stdout.write(text);
const framed = (text) => lineOf(updateOf('session-1', words(text))).trimEnd();

print('\uFEFFWelcome\r\n42\n"text"\n[]\n{}\n{"level":"info","method":"GET","id":0,"error":"no"}\n');
print(`[${framed('in a batch')}]\n\x1b]0;title\x07\x1b[2K\n`);
process.stderr.write('not ready yet\n');
// The next message begins behind escapes, on the same line.
print('\x1b[?25l\x1b[1m');
serve(
  flag('mute')
    ? { initialize: () => undefined }
    : {
        'session/prompt': () => {
          print(`\x1b]2;working\x1b\\${framed('one ')}\x1b[0m\r\n${framed('two ')}\r\n`);
          print(
            `${lineOf({ id: 999, result: {} })}${lineOf({ id: null, error: { code: -32700, message: 'x' } })}`,
          );
          const bytes = Buffer.from(`${framed('thr\u00e9e\u{1f600}')}\n`);
          const middle = bytes.indexOf(0xf0) + 2;
          process.stdout.write(bytes.subarray(0, middle), () =>
            setImmediate(() => process.stdout.write(bytes.subarray(middle))),
          );
          return new Promise((resolve) => setTimeout(resolve, 50, { stopReason: 'end_turn' }));
        },
      },
);
