#!/usr/bin/env node
// A language model that does what the prompt says: plain Node, no dependencies, loopback only.
//   node scriptedModel.mjs [PORT] [--log FILE.ndjson]     (no port or 0: a free one, named on stdout)
//
// Dialects:  POST **/chat/completions      OpenAI chat completions (SSE and JSON)
//            POST **/responses             OpenAI Responses (SSE and JSON)
//            POST **/messages              Anthropic Messages (SSE and JSON)
//            POST **/messages/count_tokens
//            POST **/models/M:generateContent | :streamGenerateContent | :countTokens   Gemini
//            GET  **/models                list of models (OpenAI shape; Gemini shape under /v1beta)
//            POST **/messages/batches, telemetry etc.: 404 JSON
//            GET  /__mock/requests         what was asked so far (summaries)
//
// Script: markers in the LAST user message that holds one
//   [[text:SOME TEXT]]          answer that text
//   [[think:SOME TEXT]]         reasoning first (where the dialect has it), then the rest
//   [[tool:NAME {json}]]        call a tool; NAME is an intent (read, edit, write, execute, list, search, fetch, plan)
//                               or an exact tool name. Several [[tool:…]] are called one per round, in order
//                               ([[par]] anywhere: all in one round).
//   [[slow:N]]                  N chunks, one each 200 ms (a long turn to cancel). [[slow:N@MS]] sets the gap
//   [[flood:N]]                 N chunks with no gap
//   [[error:STATUS]]            answer that HTTP status with the dialect's error JSON
//   [[drop]]                    start a stream and cut the socket
//   [[final:TEXT]]              the text after the last tool result (else a fixed one)
// Anything else: a fixed short markdown answer.
import fs from 'node:fs';
import http from 'node:http';
import { pathToFileURL } from 'node:url';
import { openai } from './model/openai.mjs';
import { others } from './model/others.mjs';
import { plan } from './model/plan.mjs';
import { READ } from './model/readers.mjs';
import { json, usageIn } from './model/stream.mjs';

const WRITE = { ...openai, ...others };
const MODELS = [
  'mock-model',
  'mock-model-large',
  'gpt-5.1-codex',
  'gpt-4.1',
  'claude-sonnet-4-5',
  'claude-haiku-4-5',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
];

/**
 * Start the model on loopback.
 * @param {{ port?: number, logFile?: string, bodies?: string }} [options] bodies: folder for each request's body
 * @returns {Promise<{ url: string, requests: object[], stop(): Promise<void> }>}
 */
export async function startScriptedModel({ port = 0, logFile, bodies } = {}) {
  const requests = [];
  let counter = 0;
  function log(o) {
    requests.push(o);
    if (logFile) fs.appendFileSync(logFile, JSON.stringify(o) + '\n');
  }
  const server = http.createServer((req, res) => {
    const bufs = [];
    let gone = false;
    res.on('close', () => {
      gone = true;
    });
    req.on('data', (d) => bufs.push(d));
    req.on('end', async () => {
      const url = new URL(req.url, 'http://x');
      const p = url.pathname;
      let body = {};
      try {
        body = bufs.length ? JSON.parse(Buffer.concat(bufs).toString('utf8')) : {};
      } catch {
        /* not JSON */
      }
      const n = ++counter;
      const alive = () => !gone;
      if (p === '/__mock/requests') return json(res, 200, requests);
      if (p === '/__mock/health') return json(res, 200, { ok: true });
      if (req.method === 'GET' && /\/models\/?$/.test(p)) {
        log({ n, m: 'GET', p });
        if (/v1beta/.test(p))
          return json(res, 200, {
            models: MODELS.map((m) => ({
              name: 'models/' + m,
              displayName: m,
              inputTokenLimit: 128000,
              outputTokenLimit: 8192,
              supportedGenerationMethods: ['generateContent'],
            })),
          });
        return json(res, 200, {
          object: 'list',
          has_more: false,
          data: MODELS.map((m) => ({
            id: m,
            object: 'model',
            type: 'model',
            display_name: m,
            created: 1700000000,
            created_at: '2025-01-01T00:00:00Z',
            owned_by: 'mock',
          })),
        });
      }
      if (req.method === 'GET' && /\/models\/[^/]+$/.test(p))
        return json(res, 200, {
          id: p.split('/').pop(),
          object: 'model',
          type: 'model',
          display_name: p.split('/').pop(),
          created_at: '2025-01-01T00:00:00Z',
          owned_by: 'mock',
        });
      let d = null;
      if (/\/chat\/completions$/.test(p)) d = 'chat';
      else if (/\/responses$/.test(p)) d = 'responses';
      else if (/\/messages$/.test(p)) d = 'anthropic';
      else if (/:(generateContent|streamGenerateContent)$/.test(p)) d = 'gemini';
      else if (/count_tokens$/.test(p)) return json(res, 200, { input_tokens: usageIn });
      else if (/:countTokens$/.test(p)) return json(res, 200, { totalTokens: usageIn });
      if (!d || req.method !== 'POST') {
        log({ n, m: req.method, p, status: 404 });
        return json(res, 404, {
          error: { message: 'mock: no such route ' + p, type: 'not_found_error', code: 404 },
        });
      }
      const r = { ...READ[d](body), n };
      if (d === 'gemini') {
        r.stream = /stream/.test(p);
        r.model = /models\/([^:]+):/.exec(p)?.[1];
      }
      const pl = plan(r.turns, r.tools);
      const last = [...r.turns].reverse().find((t) => t.role === 'user');
      log({
        n,
        d,
        p,
        model: r.model,
        stream: r.stream,
        tools: r.tools.map((t) => t.name),
        turns: r.turns.length,
        lastUser: String(last?.text ?? '').slice(-200),
        lastTool: r.turns.at(-1)?.role === 'tool' ? String(r.turns.at(-1).text).slice(0, 300) : undefined,
        steps: pl.steps?.map((s) =>
          s.call ? { call: s.call.name, args: s.call.args, unmapped: s.call.unmapped } : Object.keys(s)[0],
        ),
        error: pl.error,
      });
      if (bodies)
        fs.writeFileSync(`${bodies}/${String(n).padStart(4, '0')}-${d}.json`, JSON.stringify(body, null, 1));
      if (pl.error) {
        const message = `mock error ${pl.error}`;
        if (d === 'anthropic')
          return json(res, pl.error, {
            type: 'error',
            error: {
              type:
                pl.error === 401
                  ? 'authentication_error'
                  : pl.error === 429
                    ? 'rate_limit_error'
                    : 'api_error',
              message,
            },
          });
        if (d === 'gemini')
          return json(res, pl.error, {
            error: { code: pl.error, message, status: pl.error === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' },
          });
        return json(res, pl.error, { error: { message, type: 'mock_error', code: String(pl.error) } });
      }
      try {
        await WRITE[d](res, r, pl.steps, alive, body);
      } catch (e) {
        log({ n, thrown: String(e.stack) });
        if (!res.headersSent) json(res, 500, { error: { message: String(e) } });
        else res.destroy();
      }
    });
  });
  server.on('upgrade', (req, socket) => {
    log({ m: 'UPGRADE', p: req.url });
    socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
  });

  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  const args = process.argv.slice(2);
  const at = args.indexOf('--log');
  startScriptedModel({
    port: Number(args.find((a) => /^\d+$/.test(a)) ?? process.env.MOCK_PORT ?? 0),
    logFile: at >= 0 ? args[at + 1] : process.env.MOCK_LOG,
    bodies: process.env.MOCK_BODIES,
  }).then(
    ({ url }) => console.log(`listening on ${url}`),
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
