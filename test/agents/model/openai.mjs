import { argStr, collect, json, sse, usageIn, usageOut } from './stream.mjs';
import { pieces } from './pieces.mjs';

/** Writers of the OpenAI dialects. */
export const openai = {
  async chat(res, r, steps, alive, body) {
    const id = 'chatcmpl-mock' + r.n,
      created = Math.floor(Date.now() / 1000);
    const usage = {
      prompt_tokens: usageIn,
      completion_tokens: usageOut,
      total_tokens: usageIn + usageOut,
      prompt_tokens_details: { cached_tokens: 0 },
    };
    if (!r.stream) {
      const c = await collect(steps, alive);
      const message = { role: 'assistant', content: c.text || null };
      if (c.calls.length)
        message.tool_calls = c.calls.map((k, i) => ({
          id: `call_${r.n}_${i}`,
          type: 'function',
          function: { name: k.name, arguments: argStr(k) },
        }));
      return json(res, 200, {
        id,
        object: 'chat.completion',
        created,
        model: r.model,
        choices: [{ index: 0, message, finish_reason: c.calls.length ? 'tool_calls' : 'stop' }],
        usage,
      });
    }
    const w = sse(res);
    const d = (delta, finish = null) =>
      w({
        id,
        object: 'chat.completion.chunk',
        created,
        model: r.model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    d({ role: 'assistant', content: '' });
    let n = 0;
    for await (const p of pieces(steps, alive)) {
      if (p.drop) {
        res.destroy();
        return;
      }
      if (p.think) d({ reasoning_content: p.think });
      if (p.text) d({ content: p.text });
      if (p.call) {
        const i = n++;
        if (p.call.custom)
          d({
            tool_calls: [
              {
                index: i,
                id: `call_${r.n}_${i}`,
                type: 'custom',
                custom: { name: p.call.name, input: argStr(p.call) },
              },
            ],
          });
        else {
          d({
            tool_calls: [
              {
                index: i,
                id: `call_${r.n}_${i}`,
                type: 'function',
                function: { name: p.call.name, arguments: '' },
              },
            ],
          });
          for (const a of argStr(p.call).match(/[\s\S]{1,60}/g) ?? [])
            d({ tool_calls: [{ index: i, function: { arguments: a } }] });
        }
      }
    }
    d({}, n ? 'tool_calls' : 'stop');
    if (body.stream_options?.include_usage !== false)
      w({ id, object: 'chat.completion.chunk', created, model: r.model, choices: [], usage });
    w('[DONE]');
    res.end();
  },

  async responses(res, r, steps, alive) {
    const id = 'resp_mock' + r.n;
    const base = {
      id,
      object: 'response',
      created_at: Math.floor(Date.now() / 1000),
      status: 'in_progress',
      model: r.model,
      output: [],
      parallel_tool_calls: false,
      tool_choice: 'auto',
      tools: [],
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
    };
    const usage = {
      input_tokens: usageIn,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usageOut,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usageIn + usageOut,
    };
    const output = [];
    let seq = 0;
    const w0 = r.stream ? sse(res) : () => {};
    const w = (type, o) => w0({ type, sequence_number: seq++, ...o }, type);
    w('response.created', { response: base });
    w('response.in_progress', { response: base });
    let cur = null;
    const open = (kind) => {
      if (cur?.kind === kind) return;
      close();
      const idx = output.length;
      if (kind === 'think') {
        cur = { kind, idx, text: '', item: { id: `rs_${r.n}_${idx}`, type: 'reasoning', summary: [] } };
        w('response.output_item.added', { output_index: idx, item: cur.item });
        w('response.reasoning_summary_part.added', {
          item_id: cur.item.id,
          output_index: idx,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        });
      } else {
        cur = {
          kind,
          idx,
          text: '',
          item: {
            id: `msg_${r.n}_${idx}`,
            type: 'message',
            status: 'in_progress',
            role: 'assistant',
            content: [],
          },
        };
        w('response.output_item.added', { output_index: idx, item: cur.item });
        w('response.content_part.added', {
          item_id: cur.item.id,
          output_index: idx,
          content_index: 0,
          part: { type: 'output_text', text: '', annotations: [] },
        });
      }
      output.push(cur.item);
    };
    const close = () => {
      if (!cur) return;
      const { idx, item, text } = cur;
      if (cur.kind === 'think') {
        item.summary = [{ type: 'summary_text', text }];
        w('response.reasoning_summary_text.done', {
          item_id: item.id,
          output_index: idx,
          summary_index: 0,
          text,
        });
        w('response.reasoning_summary_part.done', {
          item_id: item.id,
          output_index: idx,
          summary_index: 0,
          part: item.summary[0],
        });
      } else {
        item.status = 'completed';
        item.content = [{ type: 'output_text', text, annotations: [] }];
        w('response.output_text.done', { item_id: item.id, output_index: idx, content_index: 0, text });
        w('response.content_part.done', {
          item_id: item.id,
          output_index: idx,
          content_index: 0,
          part: item.content[0],
        });
      }
      w('response.output_item.done', { output_index: idx, item });
      cur = null;
    };
    for await (const p of pieces(steps, alive)) {
      if (p.drop) {
        res.destroy();
        return;
      }
      if (p.think) {
        open('think');
        cur.text += p.think;
        w('response.reasoning_summary_text.delta', {
          item_id: cur.item.id,
          output_index: cur.idx,
          summary_index: 0,
          delta: p.think,
        });
      }
      if (p.text) {
        open('text');
        cur.text += p.text;
        w('response.output_text.delta', {
          item_id: cur.item.id,
          output_index: cur.idx,
          content_index: 0,
          delta: p.text,
        });
      }
      if (p.call) {
        close();
        const idx = output.length,
          call_id = `call_${r.n}_${idx}`;
        const item = p.call.custom
          ? {
              id: `ctc_${r.n}_${idx}`,
              type: 'custom_tool_call',
              status: 'completed',
              call_id,
              name: p.call.name,
              input: argStr(p.call),
            }
          : {
              id: `fc_${r.n}_${idx}`,
              type: 'function_call',
              status: 'completed',
              call_id,
              name: p.call.name,
              arguments: argStr(p.call),
              ...(p.call.namespace ? { namespace: p.call.namespace } : {}),
            };
        output.push(item);
        w('response.output_item.added', {
          output_index: idx,
          item: { ...item, status: 'in_progress', ...(p.call.custom ? { input: '' } : { arguments: '' }) },
        });
        if (p.call.custom) {
          w('response.custom_tool_call_input.delta', {
            item_id: item.id,
            output_index: idx,
            delta: item.input,
          });
          w('response.custom_tool_call_input.done', {
            item_id: item.id,
            output_index: idx,
            input: item.input,
          });
        } else {
          w('response.function_call_arguments.delta', {
            item_id: item.id,
            output_index: idx,
            delta: item.arguments,
          });
          w('response.function_call_arguments.done', {
            item_id: item.id,
            output_index: idx,
            arguments: item.arguments,
          });
        }
        w('response.output_item.done', { output_index: idx, item });
      }
    }
    close();
    const done = { ...base, status: 'completed', output, usage };
    if (!r.stream) return json(res, 200, done);
    w('response.completed', { response: done });
    res.end();
  },
};
