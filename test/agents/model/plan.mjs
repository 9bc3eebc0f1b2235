import { mapTool } from './tools.mjs';

const FIXED =
  '## Mock answer\n\nHello from the **mock** model.\n\n- one\n- two\n\n```js\nconsole.log("hi");\n```\n';

function parseMarkers(text) {
  const out = [];
  const s = String(text ?? '');
  let i = 0;
  while ((i = s.indexOf('[[', i)) !== -1) {
    const m = /^\[\[(text|think|tool|slow|flood|error|drop|final|par)(?::\s?|\s*(?=\]\]))/.exec(s.slice(i));
    if (!m) {
      i += 2;
      continue;
    }
    let j = i + m[0].length;
    // body runs to the "]]" that is outside JSON strings and balanced braces
    let depth = 0,
      inStr = false;
    const start = j;
    for (; j < s.length; j++) {
      const c = s[j];
      if (m[1] === 'tool') {
        if (inStr) {
          if (c === '\\') j++;
          else if (c === '"') inStr = false;
          continue;
        }
        if (c === '"' && depth > 0) {
          inStr = true;
          continue;
        }
        if (c === '{') depth++;
        if (c === '}') depth--;
      }
      if (depth <= 0 && s.startsWith(']]', j)) break;
    }
    out.push({ kind: m[1], body: s.slice(start, j).trim() });
    i = j + 2;
  }
  return out;
}

/** What to answer: the steps that the markers of the current turn ask for, or the HTTP status of an error. */
export function plan(turns, tools) {
  // turns: [{role:'user'|'assistant'|'tool', text, calls?}] in order
  // one assistant turn per reply: some dialects send a message and its calls as separate items
  const merged = [];
  for (const t of turns) {
    const p = merged.at(-1);
    if (t.role === 'assistant' && p?.role === 'assistant') {
      p.calls += t.calls;
      p.text += t.text;
    } else merged.push({ ...t });
  }
  // the current turn: everything after the last final answer (agents add reminder messages of their own as 'user')
  let from = merged.length;
  while (
    from > 0 &&
    !(merged[from - 1].role === 'assistant' && !(merged[from - 1].calls > 0) && from !== merged.length)
  )
    from--;
  let at = from - 1,
    marks = [];
  for (let i = merged.length - 1; i >= from; i--) {
    if (merged[i].role !== 'user') continue;
    const m = parseMarkers(merged[i].text);
    if (m.length) {
      at = i;
      marks = m;
      break;
    }
  }
  const after = merged.slice(at + 1);
  const rounds = after.filter((t) => t.role === 'assistant' && t.calls > 0).reduce((n, t) => n + t.calls, 0);
  const toolMarks = marks.filter((m) => m.kind === 'tool');
  const par = marks.some((m) => m.kind === 'par');
  const steps = [];
  // Some agents put a prompt that failed and the next one into one message: what comes last counts.
  const err = marks.at(-1);
  if (err?.kind === 'error' && rounds === 0) return { error: Number(err.body) || 500 };
  if (marks.some((m) => m.kind === 'drop')) steps.push({ drop: true });
  const think = marks.find((m) => m.kind === 'think');
  if (think && rounds === 0) steps.push({ think: think.body });
  const pending = toolMarks.slice(rounds);
  if (pending.length && tools.length) {
    const text = marks.find((m) => m.kind === 'text');
    if (text && rounds === 0) steps.push({ text: text.body });
    for (const m of par ? pending : pending.slice(0, 1)) {
      const mm = /^(\S+)\s*([\s\S]*)$/.exec(m.body);
      let json = {};
      try {
        json = mm[2] ? JSON.parse(mm[2]) : {};
      } catch {
        json = { _unparsed: mm[2] };
      }
      steps.push({ call: mapTool(mm[1], json, tools) });
    }
    return { steps };
  }
  if (toolMarks.length && rounds >= toolMarks.length) {
    const f = marks.find((m) => m.kind === 'final');
    steps.push({ text: f ? f.body : 'Done: the tool answered and the mock turn is **finished**.' });
    return { steps };
  }
  for (const m of marks) {
    if (m.kind === 'text') steps.push({ text: m.body });
    if (m.kind === 'slow' || m.kind === 'flood') {
      const [n, ms] = m.body.split('@');
      steps.push({ repeat: Number(n) || 20, gap: m.kind === 'slow' ? Number(ms) || 200 : 0 });
    }
  }
  if (!steps.some((s) => s.text || s.repeat || s.drop)) steps.push({ text: FIXED });
  return { steps };
}
