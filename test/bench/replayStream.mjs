const sessionId = '3f0c7a52-8f0e-4c53-9d1b-6a2f5f1e7c11';

const words =
  'the build has three parts see file that was read before and `code` with *emphasis* so each test value is compared once more naïve “quoted” list'.split(
    ' ',
  );

/** Words of about the length of what models send at once, other ones for each `seed`. */
function say(seed, length) {
  let text = '';
  for (let at = seed * 7; text.length < length; at++) text += ` ${words[at % words.length]}`;
  return seed % 12 === 0 ? `${text}.\n\n` : text;
}

const chunk = (role, text) => ({ sessionUpdate: `${role}_chunk`, content: { type: 'text', text } });
const lines = (seed, from, to) =>
  Array.from({ length: to - from }, (_, at) => `  const value${from + at} = compute(${seed % 89}, ${at});`);

function edit(seed) {
  const before = lines(seed, 0, 24);
  const after = before.with(seed % 24, `  const changed = recompute(${seed});`);
  const [oldText, newText] = [before, after].map((list) => `${list.join('\n')}\n`);
  return [{ type: 'diff', path: `/proj/project/src/part${seed % 40}.ts`, oldText, newText }];
}

/** A call with its updates: reads mostly, and some edits and commands. */
function* callUpdates(seed) {
  const toolCallId = `call_${seed.toString(16).padStart(12, '0')}`;
  const path = `/proj/project/src/part${seed % 40}.ts`;
  const kind = ['read', 'search', 'edit', 'execute'][seed % 4];
  const command = { command: `npm test -- --grep "part ${seed % 40}"` };
  const rawInput = kind === 'execute' ? command : { path, line: seed, limit: 200 };
  const locations = [{ path, line: (seed % 300) + 1 }];
  const head = { sessionUpdate: 'tool_call', toolCallId, title: `${kind} part${seed % 40}.ts` };
  yield { ...head, kind, status: 'pending', rawInput, locations };
  const patch = (fields) => ({ sessionUpdate: 'tool_call_update', toolCallId, ...fields });
  yield patch({ status: 'in_progress' });
  const output = lines(seed, 0, 6).join('\n');
  const content =
    kind === 'edit' ? edit(seed) : [{ type: 'content', content: { type: 'text', text: output } }];
  if (kind === 'execute') yield patch({ content: [{ type: 'content', content: chunk('', output).content }] });
  yield patch({ status: seed % 9 === 8 ? 'failed' : 'completed', content, rawOutput: { lines: 6 } });
}

function plan(turn, done) {
  const entries = ['Read the code', 'Change it', 'Run the tests', 'Tell the result'].map((content, at) => ({
    content: `${content} of part ${turn % 40}`,
    priority: 'medium',
    status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending',
  }));
  return { sessionUpdate: 'plan', entries };
}

/** One turn: a prompt, then five rounds of thoughts, words and calls. */
function* turnUpdates(turn) {
  yield chunk('user_message', `${say(turn, 120)} in part ${turn % 40}`);
  for (let round = 0; round < 5; round++) {
    const seed = turn * 5 + round;
    yield plan(turn, round);
    for (let n = 0; n < 8; n++) yield chunk('agent_thought', say(seed + n, 20 + ((seed + n) % 40)));
    for (let n = 0; n < 16; n++) yield chunk('agent_message', say(seed + n, 20 + ((seed + n * 3) % 40)));
    yield* callUpdates(seed * 2);
    yield* callUpdates(seed * 2 + 1);
    const used = Math.min(190_000, 2_000 + seed * 150);
    yield {
      sessionUpdate: 'usage_update',
      used,
      size: 200_000,
      cost: { amount: seed / 100, currency: 'USD' },
    };
  }
}

/** The updates of a long conversation as lines of NDJSON, about 300 bytes each; always the same ones. */
export function* replayLines(count) {
  let left = count;
  for (let turn = 1; ; turn++) {
    for (const update of turnUpdates(turn)) {
      if (left-- === 0) return;
      yield `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })}\n`;
    }
  }
}
