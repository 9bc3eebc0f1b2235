const flat = (c) => {
  if (c == null) return '';
  if (typeof c === 'string') return c;
  if (Array.isArray(c)) return c.map(flat).join('\n');
  if (typeof c === 'object') return c.text ?? c.input_text ?? flat(c.content) ?? '';
  return String(c);
};

/** Per dialect: a request body as turns and tools. */
export const READ = {
  chat(b) {
    const turns = [];
    for (const m of b.messages ?? []) {
      if (m.role === 'user') turns.push({ role: 'user', text: flat(m.content), real: true });
      else if (m.role === 'assistant')
        turns.push({ role: 'assistant', text: flat(m.content), calls: m.tool_calls?.length ?? 0 });
      else if (m.role === 'tool' || m.role === 'function')
        turns.push({ role: 'tool', text: flat(m.content) });
    }
    const tools = (b.tools ?? [])
      .map((t) =>
        t.type === 'custom'
          ? { name: t.custom?.name ?? t.name, custom: true, schema: {} }
          : { name: t.function?.name ?? t.name, schema: t.function?.parameters ?? {} },
      )
      .filter((t) => t.name);
    return { turns, tools, stream: !!b.stream, model: b.model };
  },
  responses(b) {
    const turns = [];
    const input = typeof b.input === 'string' ? [{ role: 'user', content: b.input }] : (b.input ?? []);
    for (const m of input) {
      const type = m.type ?? 'message';
      if (type === 'message' && m.role === 'user')
        turns.push({ role: 'user', text: flat(m.content), real: true });
      else if (type === 'message' && m.role === 'assistant')
        turns.push({ role: 'assistant', text: flat(m.content), calls: 0 });
      else if (/_call$/.test(type)) turns.push({ role: 'assistant', text: '', calls: 1 });
      else if (/_output$/.test(type)) turns.push({ role: 'tool', text: flat(m.output) });
    }
    const tools = [];
    for (const t of b.tools ?? []) {
      if (t.type === 'custom') tools.push({ name: t.name, custom: true, schema: {} });
      else if (t.type === 'namespace')
        for (const c of t.tools ?? [])
          tools.push({ name: c.name, namespace: t.name, schema: c.parameters ?? {} });
      else if (t.name) tools.push({ name: t.name, schema: t.parameters ?? {} });
      else tools.push({ name: t.type, schema: {}, builtin: true });
    }
    return { turns, tools, stream: !!b.stream, model: b.model };
  },
  anthropic(b) {
    const turns = [];
    for (const m of b.messages ?? []) {
      const parts = typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : (m.content ?? []);
      if (m.role === 'assistant') {
        turns.push({
          role: 'assistant',
          text: flat(parts.filter((p) => p.type === 'text')),
          calls: parts.filter((p) => p.type === 'tool_use').length,
        });
      } else {
        const res = parts.filter((p) => p.type === 'tool_result');
        for (const r of res) turns.push({ role: 'tool', text: flat(r.content) });
        const text = flat(parts.filter((p) => p.type === 'text'));
        if (text) turns.push({ role: 'user', text, real: !res.length });
      }
    }
    return {
      turns,
      tools: (b.tools ?? [])
        .filter((t) => t.name)
        .map((t) => ({ name: t.name, schema: t.input_schema ?? {} })),
      stream: !!b.stream,
      model: b.model,
    };
  },
  gemini(b) {
    const turns = [];
    for (const m of b.contents ?? []) {
      const parts = m.parts ?? [];
      const res = parts.filter((p) => p.functionResponse);
      const calls = parts.filter((p) => p.functionCall);
      const text = parts
        .filter((p) => typeof p.text === 'string' && !p.thought)
        .map((p) => p.text)
        .join('\n');
      if (m.role === 'model') turns.push({ role: 'assistant', text, calls: calls.length });
      else {
        for (const r of res)
          turns.push({ role: 'tool', text: JSON.stringify(r.functionResponse.response ?? '') });
        if (text) turns.push({ role: 'user', text, real: !res.length });
      }
    }
    const tools = [];
    for (const t of b.tools ?? [])
      for (const f of t.functionDeclarations ?? [])
        tools.push({ name: f.name, schema: f.parametersJsonSchema ?? lower(f.parameters) ?? {} });
    return {
      turns,
      tools,
      json:
        b.generationConfig?.responseMimeType === 'application/json'
          ? (b.generationConfig.responseJsonSchema ?? b.generationConfig.responseSchema ?? {})
          : undefined,
    };
  },
};
function lower(s) {
  if (!s || typeof s !== 'object') return s;
  if (Array.isArray(s)) return s.map(lower);
  const o = {};
  for (const [k, v] of Object.entries(s))
    o[k] = k === 'type' && typeof v === 'string' ? v.toLowerCase() : lower(v);
  return o;
}
/** A value that fits a JSON schema. */
export function sample(schema) {
  const s = lower(schema) ?? {};
  if (s.enum) return s.enum[0];
  switch (s.type) {
    case 'object': {
      const o = {};
      for (const [k, v] of Object.entries(s.properties ?? {})) o[k] = sample(v);
      return o;
    }
    case 'array':
      return [];
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    default:
      return 'mock';
  }
}
