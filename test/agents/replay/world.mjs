import fs from 'node:fs';
import path from 'node:path';

const wait = (ms) => new Promise((r) => setTimeout(r, ms));

/** Put a file, a link or a folder in place. */
export function placeFile(s, sub) {
  const p = sub(s.file);
  if (s.dir) fs.mkdirSync(p, { recursive: true });
  else {
    fs.mkdirSync(path.dirname(p), { recursive: true });
    fs.rmSync(p, { force: true, recursive: true });
    if (s.symlinkTo) fs.symlinkSync(sub(s.symlinkTo), p);
    else fs.writeFileSync(p, s.hex ? Buffer.from(s.hex, 'hex') : String(sub(s.text ?? '')));
  }
}

/** Look at a file, again and again for as long as the step allows. */
export async function checkFile(s, sub) {
  const p = sub(s.checkFile);
  const look = () => {
    let b = null;
    try {
      b = fs.readFileSync(p);
    } catch {
      /* absent */
    }
    if (s.exists === false) return b === null;
    if (b === null) return false;
    if ('hex' in s && b.toString('hex') !== s.hex) return false;
    if ('text' in s && b.toString('utf8') !== String(sub(s.text))) return false;
    return true;
  };
  const end = Date.now() + (s.timeoutMs ?? 0);
  let ok = look();
  while (!ok && Date.now() < end) {
    await wait(50);
    ok = look();
  }
  let got = null;
  try {
    got = fs.readFileSync(p).toString('hex').slice(0, 200);
  } catch {
    /* absent */
  }
  return { ok, got };
}

/** Wait, at most five seconds, until the process that a text names ("pid 123") is gone. */
export async function isGone(text) {
  const m = /pid (\d+)/.exec(text);
  const alive = () => {
    try {
      process.kill(Number(m[1]), 0);
    } catch {
      return false;
    }
    try {
      return !/^State:\s*Z/m.test(fs.readFileSync(`/proc/${m[1]}/status`, 'utf8'));
    } catch {
      return fs.existsSync('/proc') ? false : true;
    }
  };
  const end = Date.now() + 5000;
  while (m && alive() && Date.now() < end) await wait(100);
  return !!m && !alive();
}

/** Wait, at most for `ms`, until a file has so many lines; it need not be there yet. */
export async function hasLines(file, count, ms) {
  const end = Date.now() + ms;
  for (;;) {
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    if (text.split('\n').length > count) return true;
    if (Date.now() > end) return false;
    await wait(20);
  }
}
