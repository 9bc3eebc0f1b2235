import { toTable } from './report.mjs';

const ms = (value) => `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ms`;
const us = (value) => `${value.toLocaleString('en', { maximumFractionDigits: 0 })} µs`;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const verdict = (ratio, bound) => [`${ratio.toFixed(2)} ×`, `${bound} ×`, ratio <= bound ? 'ok' : 'over'];

/**
 * A Markdown table of how the built-in agent starts.
 * @param {object} result what `measureAgentStart` gave
 * @param {number} bound the most that the ratio may be
 */
export function agentStartTable({ agent, node, ratio }, bound) {
  const figures = (times) => `${ms(median(times))} (${ms(Math.min(...times))})`;
  return toTable([
    ['Start of the built-in agent, median (least)', 'To `initialize`', '`node -e 0`', 'Ratio', 'At most', ''],
    [`${agent.length} starts of each`, figures(agent), figures(node), ...verdict(ratio, bound)],
  ]);
}

/**
 * A Markdown table of what the agent's loop costs.
 * @param {object} result what `measureAgentLoop` gave
 * @param {object} bounds the most that each ratio may be
 */
export function agentLoopTable({ calls, loop, ratios, perCall }, bounds) {
  const lines = Math.round(loop[0].messages / calls);
  const count = calls.toLocaleString('en');
  return toTable([
    [`${count} model calls with a tool each, CPU`, 'Of one call', 'Ratio', 'At most', ''],
    ['Control: what the model says, taken and forgotten', us(perCall.control), '1 ×', '', ''],
    [`Loop, tools and ${lines} messages to the client, without a log`, us(perCall.memory), '', '', ''],
    ['The same with its log on disk', us(perCall.loop), ...verdict(ratios.control, bounds.control)],
    [`${(2 * calls).toLocaleString('en')} calls ÷ ${count}`, '', ...verdict(ratios.twice, bounds.twice)],
  ]);
}

/**
 * A Markdown table of what model calls to a server cost.
 * @param {object} result what `measureAgentService` gave
 * @param {number} bound the most that the ratio may be
 */
export function agentServiceTable({ calls, ratio, perCall }, bound) {
  return toTable([
    [`${calls} model calls to a server, CPU`, 'Of one call', 'Ratio', 'At most', ''],
    ["Control: the provider's library alone", us(perCall.library), '1 ×', '', ''],
    ['The agent: loop, tools, messages and log', us(perCall.agent), ...verdict(ratio, bound)],
  ]);
}
