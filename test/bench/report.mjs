function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** One line: medians in ms, and how many times the control's is the median of Parley. */
function compare(what, parley, control, cut = false) {
  const [ours, theirs] = [median(parley), median(control)];
  return {
    what,
    parley: ours,
    parleyLeast: Math.min(...parley),
    control: theirs,
    controlLeast: Math.min(...control),
    /** Parley ÷ control. VS Code's numbers are whole ms: what is 0 there counts as a half. */
    ratio: Math.max(ours, 0.5) / Math.max(theirs, 0.5),
    /** The control had not ended when its time was up. */
    cut,
  };
}

/**
 * The figures as lines of a table, in ms.
 * @param {object} results what `measure` gave, and perhaps the page's figures
 */
export function summarise({ activation, streaming, page }) {
  const lines = [];
  const add = (what, key, { parley, control }, cut) => {
    const [ours, theirs] = [parley, control].map((list) => list.map((item) => item[key]));
    lines.push(compare(what, ours, theirs, cut));
  };
  if (activation) {
    add('Activation', 'total', activation);
    add('– loading the code', 'loadCode', activation);
    add('– `activate()`', 'callActivate', activation);
  }
  if (streaming) {
    const cut = streaming.control.some(({ complete }) => !complete);
    add('First chunk → last word on screen', 'fromFirstChunk', streaming, cut);
    add('Enter → last word on screen', 'fromEnter', streaming, cut);
    add('Longest time between two frames', 'longestGap', streaming);
  }
  if (page) lines.push(compare('Renderer alone, without VS Code', [page.committerMs], [page.naiveMs]));
  return lines;
}

const number = (value) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

function describeRatio({ ratio, cut }) {
  const times = number(ratio < 1 ? 1 / ratio : ratio);
  return `${cut ? '> ' : ''}${times} × ${ratio < 1 ? 'shorter' : 'longer'}`;
}

/** A Markdown table of the lines: medians, the least value in parentheses. */
export function markdownTable(lines) {
  const figures = (middle, least) =>
    middle === least ? `${number(middle)} ms` : `${number(middle)} (${number(least)}) ms`;
  const rows = lines.map((line) => [
    line.what,
    figures(line.parley, line.parleyLeast),
    `${line.cut ? '> ' : ''}${figures(line.control, line.controlLeast)}`,
    describeRatio(line),
  ]);
  return toTable([['', 'Parley', 'Control', 'Parley is'], ...rows]);
}

/**
 * A Markdown table of the ratios of a replay, each with its bound.
 * @param {object} result what `measureReplay` gave
 * @param {object} bounds the most that each ratio may be
 */
export function replayTable({ updates, bytes, ratios }, bounds) {
  const size = `${updates.toLocaleString('en')} updates (${(bytes / 1e6).toFixed(1)} MB)`;
  const what = {
    cpu: `CPU to take ${size} ÷ splitting and parsing alone`,
    twice: `CPU of ${(2 * updates).toLocaleString('en')} updates ÷ that of ${updates.toLocaleString('en')}`,
    heap: 'Heap afterwards ÷ bytes of NDJSON',
  };
  const rows = Object.entries(bounds).map(([name, bound]) => [
    what[name],
    `${ratios[name].toFixed(2)} ×`,
    `${bound} ×`,
    ratios[name] <= bound ? 'ok' : 'over',
  ]);
  return toTable([['Replay', 'Parley', 'At most', ''], ...rows]);
}

/**
 * A Markdown table of turns with the tracker and without it.
 * @param {object} result what `measureTracker` gave
 * @param {number} bound the most that the ratio of the CPU may be
 */
export function trackerTable({ load, on, off, ratio }, bound) {
  const figure = (runs, key) => {
    const least = number(Math.min(...runs.map((run) => run[key] ?? 0)));
    return key === 'commands' ? least : `${least} ms`;
  };
  const row = (what, key, more = ['', '']) => [what, figure(on, key), figure(off, key), ...more];
  const told = (count) => count.toLocaleString('en');
  const turn = `A turn of ${told(load.chunks)} chunks that changes ${load.changed} of ${told(load.files)} files`;
  return toTable([
    [turn, 'Tracked', 'Not tracked', 'Ratio', ''],
    row('CPU of the host', 'cpu', [`${ratio.toFixed(2)} × of ${bound} ×`, ratio <= bound ? 'ok' : 'over']),
    row('CPU of git', 'git'),
    row('Runs of git', 'commands'),
    row('Longest block', 'block'),
    row('Time', 'wall'),
  ]);
}

/**
 * A Markdown table of how a rewritten file is compared.
 * @param {object} result what `measureRewrite` gave
 */
export function rewriteTable({ lines, tracker, toolCall, control }) {
  const least = (runs, key) => Math.min(...runs.map((run) => run[key]));
  const block = least(control, 'block');
  const row = (what, runs) => {
    const ours = least(runs, 'block');
    const ratio = runs === control ? '1 ×' : `${(ours / block).toFixed(4)} ×`;
    return [what, `${number(ours)} ms`, `${number(least(runs, 'wall'))} ms`, ratio];
  };
  return toTable([
    [
      `Half of ${lines.toLocaleString('en')} lines rewritten`,
      'Longest block',
      'Time to the answer',
      'Block ÷ control',
    ],
    row('Counted for the list of changed files', tracker),
    row('Diff of a tool call', toolCall),
    row('Control: the library, in one piece', control),
  ]);
}

/**
 * A Markdown table of what commands cost.
 * @param {object} result what `measureTerminals` gave
 * @param {object} bounds what each ratio may be
 */
export function terminalsTable({ bytes, commands, ratios, raw, flood }, bounds) {
  const row = (what, ratio, bound, ok) => [what, `${ratio.toFixed(2)} ×`, bound, ok ? 'ok' : 'over'];
  const wall = (runs) => `${number(Math.min(...runs.map((run) => run.wall)))} ms`;
  const size = `${bytes / 1e6} MB`;
  const lasting = (what, key) =>
    row(what, ratios[key], `≤ ${bounds.lasting} ×`, ratios[key] <= bounds.lasting);
  return toTable([
    ['Commands', 'Parley', 'Bound', ''],
    row(
      `Speed of ${size} of output ÷ that of reading the pty raw (${wall(flood)}, ${wall(raw)})`,
      ratios.throughput,
      `≥ ${bounds.throughput} ×`,
      ratios.throughput >= bounds.throughput,
    ),
    row(
      `Growth of the heap meanwhile ÷ limit of the output`,
      ratios.growth,
      `≤ ${bounds.growth} ×`,
      ratios.growth <= bounds.growth,
    ),
    lasting(`Heap after ${commands} short commands ÷ before`, 'heap'),
    lasting('Handles', 'handles'),
    lasting('Listeners', 'listeners'),
  ]);
}

/** A Markdown table; its first row is the head. */
export function toTable(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const [head, ...body] = table.map(
    (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`,
  );
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [head, `| ${rule.join(' | ')} |`, ...body].join('\n');
}
