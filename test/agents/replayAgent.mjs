#!/usr/bin/env node
// replayAgent.mjs - an ACP agent on stdio that plays a script. No dependencies, Node 18 or later.
//
//   node replayAgent.mjs SCRIPT.ndjson [--log FILE] [--timeout MS] [--paced FILE]
//   node replayAgent.mjs REPORT.ndjson [--run N] [--log FILE]     a report of Parley: Save Bug Report; see replay/report.mjs
//   (or REPLAY_SCRIPT, REPLAY_LOG, REPLAY_TIMEOUT_MS, REPLAY_PACED in the environment)
//
// A script has one JSON object per line; blank lines and lines that start with # or // are skipped.
// Steps run in order:
//   {"expect":"session/prompt","as":"p","where":{..},"check":{..},"timeoutMs":n}
//                              wait for a client request or notification of that method
//   {"expectResponse":101,"check":{..},"checkAny":[{..},{..}],"save":{"t":"result.terminalId"}}
//                              wait for the client's answer to the request this script sent with that id
//   {"expectNot":"session/prompt","forMs":n}   fail if such a client message comes within n ms
//   {"expectNoResponse":101,"forMs":n}         fail if that request is answered within n ms
//   {"send":MSG}               write one message; MSG may be an array ("oneWrite":true: one write for all)
//        options: "eol":"\r\n", "splitBytes":n (write n bytes at a time), "gapMs":n, "times":n ($I counts)
//   {"raw":"..."}              write bytes: each character is one byte (0-255); "utf8":true: as UTF-8 instead
//   {"stderr":"..."}           write text to stderr
//   {"sleepMs":n}  {"exit":code}  {"signal":"SIGKILL"}
//   {"file":PATH,"text":..|"hex":..|"symlinkTo":..|"dir":true}     put a file in place
//   {"checkFile":PATH,"exists":bool,"text":..,"hex":..,"timeoutMs":n}   look at a file afterwards
//   {"gone":"pid 123 ..","label":".."}   the process whose number follows "pid" in the text must be gone within 5 s
//   {"spawnChild":"name"}      start a long-lived child of the agent; its pid goes to the log
//   {"user":{"do":"stop"}}     what the person (or the harness) does now; only logged
//   {"ui":"text","holdMs":n}   what must be on screen now; only logged (holdMs: pause so that one can look)
//   {"note":"text"}            comment
// With --paced each user and ui step also waits until FILE has a line for it, which the harness adds when it has acted or looked.
// Hoisted (apply from the start, wherever they stand):
//   {"default":"initialize","result":{..}}     merged over the built-in answer; or "error":{..}; or "off":true
//   {"stubborn":true}          ignore end of stdin and SIGTERM
// A method that a later (or the current) expect names is left to the script; every other client request gets the
// built-in answer: initialize, session/new (fresh ids), authenticate, session/set_mode, session/set_config_option,
// session/list, session/close, logout succeed; session/prompt ends the turn; anything else is -32601.
// Placeholders, in any string of a step: $ID (id of the request the last expect took; "$ID" alone keeps its type),
//   $ID:name (the one taken with "as":"name"), $SESSION $SESSION2.. (ids given out), $CWD (cwd of the session),
//   $OUT (a fresh folder outside the workspace), $TMP, $NODE (this node binary), $I, $VAR:name (from "save").
// Values: {"$fill":"ab","n":3} -> "ababab"; {"$lines":3,"of":"row #"} -> numbered lines; {"$cat":[..]} joins strings.
// Checks: {"a.b.0.c": X}, X a literal (deep equal) or {"$exists":b} {"$re":"..","$flags":"i"} {"$in":[..]} {"$not":X}
//   {"$type":"string"} {"$maxBytes":n} {"$minBytes":n} {"$wellFormed":true} (no lone surrogate, no U+FFFD) {"$len":n}.
// The log is JSON lines: every message both ways, user/ui steps, each check with "ok", and a last "done" line.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { builtIn } from './replay/answers.mjs';
import { isReport, readReport, ReportPlayer } from './replay/report.mjs';
import { at, clip, holds, subset } from './replay/values.mjs';
import { checkFile, hasLines, isGone, placeFile } from './replay/world.mjs';

const argv = process.argv.slice(2);
const opt = (name, env, dflt) => {
  const i = argv.indexOf(name);
  if (i >= 0) return argv.splice(i, 2)[1];
  return process.env[env] ?? dflt;
};
const LOG = opt('--log', 'REPLAY_LOG', '');
const TIMEOUT = Number(opt('--timeout', 'REPLAY_TIMEOUT_MS', '30000'));
const PACED = opt('--paced', 'REPLAY_PACED', '');
const RUN = opt('--run', 'REPLAY_RUN', undefined);
const SCRIPT = argv[0] ?? process.env.REPLAY_SCRIPT;
if (!SCRIPT) {
  process.stderr.write('usage: replayAgent.mjs SCRIPT.ndjson [--log FILE]\n');
  process.exit(64);
}

const source = fs.readFileSync(SCRIPT, 'utf8');
const player = isReport(source) ? playReport() : undefined;
const steps = (player ? '' : source)
  .split(/\n/)
  .map((s) => s.trim())
  .filter((s) => s && !s.startsWith('#') && !s.startsWith('//'))
  .map((s, i) => {
    try {
      return JSON.parse(s);
    } catch (e) {
      throw new Error(`${SCRIPT}: step ${i + 1}: ${e.message}`);
    }
  });

const t0 = Date.now();
let pass = 0,
  fail = 0;
function log(o) {
  if (LOG) fs.appendFileSync(LOG, JSON.stringify({ t: Date.now() - t0, ...o }) + '\n');
}
function verdict(ok, what, detail) {
  if (ok) pass++;
  else {
    fail++;
    process.stderr.write(`REPLAY FAIL ${what} ${detail ? JSON.stringify(detail).slice(0, 400) : ''}\n`);
  }
  log({ check: what, ok, ...(ok || detail === undefined ? {} : { detail }) });
}

const defaults = {};
let stubborn = false;
for (const s of steps) {
  if (s.default) defaults[s.default] = s;
  if (s.stubborn) stubborn = true;
}
const program = steps.filter((s) => !s.default && !s.stubborn);

// ---- values -------------------------------------------------------------------------------------------------------
let pc = 0,
  counter = 0,
  lastId = null;
const ids = {},
  vars = {},
  sessions = [];
let cwd = process.cwd(),
  outside = null;
const getOutside = () => (outside ??= fs.mkdtempSync(path.join(os.tmpdir(), 'replay-outside-')));
function word(w) {
  if (w === 'ID') return lastId;
  if (w.startsWith('ID:')) return ids[w.slice(3)];
  if (w.startsWith('VAR:')) return vars[w.slice(4)];
  if (w === 'I') return counter;
  if (w === 'CWD') return cwd;
  if (w === 'OUT') return getOutside();
  if (w === 'TMP') return os.tmpdir();
  if (w === 'NODE') return process.execPath;
  if (w.startsWith('SESSION')) return sessions[(Number(w.slice(7)) || 1) - 1] ?? 'sess-unset';
  return '$' + w;
}
const WORD = /\$(ID:[A-Za-z0-9]+|VAR:[A-Za-z0-9]+|SESSION\d*|CWD|OUT|TMP|NODE|ID|I)(?![A-Za-z])/g;
function sub(v) {
  if (typeof v === 'string') {
    const m = /^\$(ID(?::[A-Za-z0-9]+)?|VAR:[A-Za-z0-9]+|I)$/.exec(v);
    if (m) return word(m[1]) ?? null;
    return v.replace(WORD, (_, w) => String(word(w)));
  }
  if (Array.isArray(v)) return v.map(sub);
  if (v && typeof v === 'object') {
    if ('$fill' in v) return sub(v.$fill).repeat(v.n);
    if ('$lines' in v)
      return Array.from({ length: v.$lines }, (_, i) => v.of.replaceAll('#', String(i))).join('\n') + '\n';
    if ('$cat' in v) return v.$cat.map(sub).join('');
    return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, sub(x)]));
  }
  return v;
}
const failures = (msg, check) =>
  Object.entries(sub(check))
    .filter(([p, want]) => !holds(at(msg, p), want))
    .map(([p, want]) => ({ path: p, want, got: clip(at(msg, p)) }));

// ---- wire ---------------------------------------------------------------------------------------------------------
function writeBytes(buf) {
  return new Promise((res) => process.stdout.write(buf, () => res()));
}
const wait = (ms) => new Promise((r) => setTimeout(r, ms));
async function sendMsg(msg, o = {}) {
  const line = Buffer.from(JSON.stringify(msg) + (o.eol ?? '\n'), 'utf8');
  log({ out: line.length > 4000 ? `(${line.length} bytes)` : msg });
  if (o.splitBytes) {
    for (let i = 0; i < line.length; i += o.splitBytes) {
      await writeBytes(line.subarray(i, i + o.splitBytes));
      await wait(o.gapMs ?? 0);
    }
  } else await writeBytes(line);
}
const reply = (id, result) => sendMsg({ jsonrpc: '2.0', id, result });
const replyError = (id, code, message, data) =>
  sendMsg({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });

const inbox = [],
  history = [],
  responses = new Map();
let wake = () => {};
async function until(test, ms) {
  const end = Date.now() + ms;
  for (;;) {
    const got = test();
    if (got !== undefined) return got;
    const left = end - Date.now();
    if (left <= 0) return undefined;
    await new Promise((res) => {
      const tm = setTimeout(res, Math.min(left, 1000));
      wake = () => {
        clearTimeout(tm);
        res();
      };
    });
  }
}
const scripted = (method) => program.slice(pc).some((s) => s.expect === method);

/** What the built-in answers use and change. */
const agent = { configOptions: null, defaults, openSession, reply, replyError, sendMsg, sub };
function openSession(params, sid = `sess-replay-${sessions.length + 1}`) {
  if (!sessions.includes(sid)) sessions.push(sid);
  if (sessions.length === 1 && params.cwd) cwd = params.cwd;
  return sid;
}
function receive(msg) {
  if (player) return player.receive(msg);
  log({ in: JSON.stringify(msg).length > 20000 ? '(large)' : msg });
  if (msg === null || typeof msg !== 'object' || Array.isArray(msg)) {
    verdict(false, 'client sent something that is not a JSON-RPC object', msg);
    return;
  }
  if (!('method' in msg)) {
    const key = JSON.stringify(msg.id ?? null);
    (responses.get(key) ?? responses.set(key, []).get(key)).push(msg);
    if (responses.get(key).length > 1) verdict(false, `client answered request ${key} more than once`, msg);
  } else {
    history.push(msg);
    if (scripted(msg.method)) inbox.push(msg);
    else void builtIn(msg, agent);
  }
  wake();
}
let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  let nl;
  while ((nl = rest.indexOf(10)) >= 0) {
    const line = rest.subarray(0, nl).toString('utf8').replace(/\r$/, '');
    rest = rest.subarray(nl + 1);
    if (!line.trim()) continue;
    let msg;
    try {
      msg = JSON.parse(line);
    } catch {
      verdict(false, 'client wrote a line that is not JSON', clip(line));
      continue;
    }
    receive(msg);
  }
});
process.stdin.on('end', () => {
  log({ stdinEnd: true });
  if (!stubborn) finish('stdin closed', 0);
});
if (stubborn) {
  process.on('SIGTERM', () => log({ sigterm: true }));
  process.on('SIGHUP', () => {});
  setInterval(() => {}, 1000);
} else process.on('SIGTERM', () => finish('SIGTERM', 143));
process.stdout.on('error', (e) => {
  log({ stdoutError: e.code });
  if (!stubborn) process.exit(0);
});

let finished = false;
function finish(why, code) {
  if (!finished) {
    finished = true;
    log({ done: pc >= program.length, why, pass, fail, step: pc });
  }
  process.exit(code);
}

// ---- steps --------------------------------------------------------------------------------------------------------
function judge(msg, s, label) {
  if (s.checkAny) {
    const all = s.checkAny.map((c) => failures(msg, c));
    verdict(
      all.some((f) => f.length === 0),
      label,
      all,
    );
  }
  if (s.check) {
    const f = failures(msg, s.check);
    verdict(f.length === 0, label, f);
  }
}
let asked = 0;
/** Wait until the harness has acted and looked as often as it was asked to. */
async function pace() {
  asked++;
  if (PACED && !(await hasLines(PACED, asked, TIMEOUT))) verdict(false, `harness idle for ${TIMEOUT} ms`);
}
async function step(s) {
  const limit = s.timeoutMs ?? TIMEOUT;
  if (s.expect) {
    const where = sub(s.where);
    const msg = await until(() => {
      const i = inbox.findIndex((m) => m.method === s.expect && subset(m.params ?? {}, where));
      return i < 0 ? undefined : inbox.splice(i, 1)[0];
    }, limit);
    if (!msg) {
      verdict(false, `no ${s.expect} from the client in ${limit} ms`);
      return s.optional ? undefined : 'stop';
    }
    if (msg.id !== undefined) {
      lastId = msg.id;
      if (s.as) ids[s.as] = msg.id;
    }
    if (['session/new', 'session/load', 'session/resume'].includes(s.expect))
      openSession(msg.params ?? {}, msg.params?.sessionId);
    for (const [k, p] of Object.entries(s.save ?? {})) vars[k] = at(msg, p);
    judge(msg, s, s.label ?? `${s.expect} from the client`);
  } else if ('expectResponse' in s) {
    const id = sub(s.expectResponse),
      key = JSON.stringify(id);
    const msg = await until(() => responses.get(key)?.[0], limit);
    if (!msg) {
      verdict(false, s.label ?? `no answer to request ${key} in ${limit} ms`);
      return;
    }
    if ('result' in msg === 'error' in msg)
      verdict(false, `answer to ${key} must have exactly one of result and error`, msg);
    for (const [k, p] of Object.entries(s.save ?? {})) vars[k] = at(msg, p);
    judge(msg, s, s.label ?? `answer to request ${key}`);
  } else if (s.expectNot) {
    const from = history.length;
    await wait(s.forMs ?? 500);
    const bad = history
      .slice(from)
      .concat(inbox)
      .find((m) => m.method === s.expectNot);
    verdict(!bad, s.label ?? `no ${s.expectNot} for ${s.forMs ?? 500} ms`, bad);
  } else if ('expectNoResponse' in s) {
    await wait(s.forMs ?? 500);
    const bad = responses.get(JSON.stringify(sub(s.expectNoResponse)))?.[0];
    verdict(!bad, s.label ?? `request ${s.expectNoResponse} still open after ${s.forMs ?? 500} ms`, bad);
  } else if ('send' in s) {
    for (let n = 0; n < (s.times ?? 1); n++) {
      counter = n;
      const list = (Array.isArray(s.send) ? s.send : [s.send]).map(sub);
      for (const m of list)
        if (m.params?.update?.configOptions) agent.configOptions = m.params.update.configOptions;
      if (s.oneWrite) {
        log({ out: list });
        await writeBytes(Buffer.from(list.map((m) => JSON.stringify(m) + (s.eol ?? '\n')).join('')));
      } else for (const m of list) await sendMsg(m, s);
      if (s.times && s.gapMs) await wait(s.gapMs);
    }
  } else if ('raw' in s) {
    const text = String(s.raw).replace(WORD, (_, w) =>
      w.startsWith('ID') ? JSON.stringify(word(w)) : String(word(w)),
    );
    log({ outRaw: clip(text) });
    await writeBytes(Buffer.from(text, s.utf8 ? 'utf8' : 'latin1'));
  } else if ('stderr' in s) await new Promise((r) => process.stderr.write(String(sub(s.stderr)), () => r()));
  else if ('sleepMs' in s) await wait(s.sleepMs);
  else if ('exit' in s) {
    pc++;
    finish('exit step', s.exit);
  } else if ('signal' in s) {
    pc++;
    log({ done: pc >= program.length, why: s.signal, pass, fail, step: pc });
    process.kill(process.pid, s.signal);
    await wait(5000);
  } else if ('file' in s) {
    placeFile(s, sub);
  } else if ('checkFile' in s) {
    const { ok, got } = await checkFile(s, sub);
    verdict(ok, s.label ?? `file ${path.basename(sub(s.checkFile))}`, { got });
  } else if ('gone' in s) {
    verdict(await isGone(sub(s.gone)), s.label ?? 'process gone', { text: sub(s.gone) });
  } else if ('spawnChild' in s) {
    const c = spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'], {
      stdio: 'ignore',
    });
    log({ child: s.spawnChild, pid: c.pid });
  } else if ('user' in s) {
    log({ user: sub(s.user), say: s.say });
    await pace();
  } else if ('ui' in s) {
    log({ ui: sub(s.ui), holdMs: s.holdMs });
    await Promise.all([pace(), wait(s.holdMs ?? 0)]);
  } else if ('note' in s) log({ note: s.note });
  else throw new Error('unknown step ' + JSON.stringify(s).slice(0, 200));
}
/** Plays a report in the place of steps. */
function playReport() {
  return new ReportPlayer(readReport(source, RUN === undefined ? undefined : Number(RUN)), {
    write: (text) => writeBytes(Buffer.from(text)),
    printError: (text) => new Promise((res) => process.stderr.write(text, () => res())),
    exit: (code) => finish('exit', code),
    kill: (signal) => process.kill(process.pid, signal),
    log,
  });
}
async function main() {
  log({ start: path.basename(SCRIPT), pid: process.pid, steps: program.length });
  while (pc < program.length) {
    let r;
    try {
      r = await step(program[pc]);
    } catch (e) {
      verdict(false, `step ${pc + 1} threw`, String(e));
    }
    pc++;
    if (r === 'stop') {
      log({ stopped: pc });
      pc = program.length;
    }
    for (let i = 0; i < inbox.length;)
      if (!scripted(inbox[i].method)) void builtIn(inbox.splice(i, 1)[0], agent);
      else i++;
  }
  log({ scriptEnd: true, pass, fail });
  process.stderr.write(`REPLAY script end pass=${pass} fail=${fail}\n`);
}
if (player) player.go();
else main();
