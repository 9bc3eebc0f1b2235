import { argStr, collect, json, sse, usageIn, usageOut } from './stream.mjs';
import { pieces } from './pieces.mjs';
import { sample } from './readers.mjs';

/** Writers of the Anthropic and the Gemini dialect. */
export const others = {
  async anthropic(res, r, steps, alive) {
    const id = 'msg_mock' + r.n;
    const msg = {
      id,
      type: 'message',
      role: 'assistant',
      model: r.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: usageIn,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 1,
      },
    };
    if (!r.stream) {
      const c = await collect(steps, alive);
      if (c.text) msg.content.push({ type: 'text', text: c.text });
      for (const [i, k] of c.calls.entries())
        msg.content.push({ type: 'tool_use', id: `toolu_${r.n}_${i}`, name: k.name, input: k.args });
      msg.stop_reason = c.calls.length ? 'tool_use' : 'end_turn';
      msg.usage.output_tokens = usageOut;
      return json(res, 200, msg);
    }
    const w0 = sse(res);
    const w = (type, o) => w0({ type, ...o }, type);
    w('message_start', { message: msg });
    w('ping', {});
    let idx = -1,
      kind = null,
      calls = 0;
    const open = (k, block) => {
      if (kind === k && k !== 'call') return;
      close();
      idx++;
      kind = k;
      w('content_block_start', { index: idx, content_block: block });
    };
    const close = () => {
      if (kind) {
        if (kind === 'think')
          w('content_block_delta', { index: idx, delta: { type: 'signature_delta', signature: 'bW9jaw==' } });
        w('content_block_stop', { index: idx });
        kind = null;
      }
    };
    for await (const p of pieces(steps, alive)) {
      if (p.drop) {
        res.destroy();
        return;
      }
      if (p.think) {
        open('think', { type: 'thinking', thinking: '', signature: '' });
        w('content_block_delta', { index: idx, delta: { type: 'thinking_delta', thinking: p.think } });
      }
      if (p.text) {
        open('text', { type: 'text', text: '' });
        w('content_block_delta', { index: idx, delta: { type: 'text_delta', text: p.text } });
      }
      if (p.call) {
        open('call', { type: 'tool_use', id: `toolu_${r.n}_${calls++}`, name: p.call.name, input: {} });
        for (const a of argStr(p.call).match(/[\s\S]{1,60}/g) ?? [])
          w('content_block_delta', { index: idx, delta: { type: 'input_json_delta', partial_json: a } });
      }
    }
    close();
    w('message_delta', {
      delta: { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: {
        input_tokens: usageIn,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: usageOut,
      },
    });
    w('message_stop', {});
    res.end();
  },

  async gemini(res, r, steps, alive) {
    const usageMetadata = {
      promptTokenCount: usageIn,
      candidatesTokenCount: usageOut,
      totalTokenCount: usageIn + usageOut,
    };
    const mk = (parts, finish) => ({
      candidates: [
        { index: 0, content: { role: 'model', parts }, ...(finish ? { finishReason: 'STOP' } : {}) },
      ],
      modelVersion: r.model,
      responseId: 'mock' + r.n,
      usageMetadata,
    });
    if (r.json && !r.stream) return json(res, 200, mk([{ text: JSON.stringify(sample(r.json)) }], true));
    if (!r.stream) {
      const c = await collect(steps, alive);
      const parts = [];
      if (c.text) parts.push({ text: c.text });
      for (const k of c.calls) parts.push({ functionCall: { name: k.name, args: k.args } });
      return json(res, 200, mk(parts, true));
    }
    const w = sse(res);
    let n = 0;
    for await (const p of pieces(steps, alive)) {
      if (p.drop) {
        res.destroy();
        return;
      }
      if (p.think) w(mk([{ text: p.think, thought: true }]));
      if (p.text) w(mk([{ text: p.text }]));
      if (p.call)
        w(mk([{ functionCall: { id: `call_${r.n}_${n++}`, name: p.call.name, args: p.call.args } }]));
    }
    w(mk([{ text: '' }], true));
    res.end();
  },
};
