import type { StyledRun, TerminalView } from '../../core/session/state';
import { useLayoutEffect } from 'preact/hooks';
import { useOpen, usePage, usePart, type Page } from '../page';
import { copyFrom } from './copy';
import { runningTime, shortTime } from './duration';
import { Icon } from './icon';
import { visibleText } from '../../core/visibleText';
import { watchTerminalColours } from './terminalColours';

/** Lines that are shown of an output before "Show all". */
const TAIL = 12;

function runClass(run: StyledRun): string {
  const names: string[] = [];
  if (run.fg && !run.fg.startsWith('#')) names.push(`fg-${run.fg}`);
  if (run.bg && !run.bg.startsWith('#')) names.push(`bg-${run.bg}`);
  for (const style of ['bold', 'dim', 'italic', 'underline'] as const)
    if (run[style]) names.push(`ansi-${style}`);
  return names.join(' ');
}

function Run({ run }: { run: StyledRun }) {
  const own = {
    ...(run.fg?.startsWith('#') ? { color: run.fg } : {}),
    ...(run.bg?.startsWith('#') ? { backgroundColor: run.bg } : {}),
  };
  const className = runClass(run);
  if (!className && Object.keys(own).length === 0) return <>{run.text}</>;
  return (
    <span class={className} style={own}>
      {run.text}
    </span>
  );
}

const isBlank = (line: readonly StyledRun[] | undefined): boolean =>
  line?.every((run) => run.text.trim() === '') ?? true;

/** The lines of a terminal without the empty ones at its end. */
function usedLines(terminal: TerminalView): StyledRun[][] {
  let end = terminal.lines.length;
  while (end > 0 && isBlank(terminal.lines[end - 1])) end--;
  return terminal.lines.slice(0, end);
}

const plainText = (lines: readonly StyledRun[][]): string =>
  lines.map((line) => line.map((run) => run.text).join('')).join('\n');

function exitText({ code, signal }: NonNullable<TerminalView['exit']>, t: Page['t']): string {
  if (signal) return t('exitSignal', signal);
  return code === null ? t('exitUnknown') : t('exitCode', code);
}

interface LinesProps {
  lines: readonly StyledRun[][];
  hidden: number;
  running: boolean;
  /** The agent runs it, and may have kept some of the output to itself. */
  agents: boolean;
}

function Lines({ lines, hidden, running, agents }: LinesProps) {
  const { t } = usePage();
  if (lines.length === 0) {
    const silent = agents ? t('terminalNotTold') : t('terminalWasSilent');
    return <div class="dim term-empty">{running ? t('terminalNoOutput') : silent}</div>;
  }
  return (
    <div class="term" tabIndex={0} role="group" aria-label={t('terminalOutput')} dir="ltr">
      {hidden > 0 && <div class="dim">{t('terminalHidden', hidden)}</div>}
      {lines.map((line, index) => (
        <div key={index} class="term-line">
          {line.map((run, at) => (
            <Run key={at} run={run} />
          ))}
          {line.length === 0 && '\u00A0'}
        </div>
      ))}
    </div>
  );
}

function Buttons({ terminal, text, running }: { terminal: TerminalView; text: string; running: boolean }) {
  const page = usePage();
  const { t, act } = page;
  const { terminalId, agents } = terminal;
  return (
    <>
      {running && !agents && (
        <button
          type="button"
          aria-label={t('stopCommand')}
          title={t('stopCommand')}
          onClick={() => void act({ type: 'stopTerminal', terminalId })}
        >
          {t('stop')}
        </button>
      )}
      {!agents && (
        <button type="button" onClick={() => void act({ type: 'openTerminal', terminalId })}>
          {t('openInTerminal')}
        </button>
      )}
      <button
        type="button"
        class="icon"
        aria-label={t('copyOutput')}
        title={t('copyOutput')}
        onClick={(event) => copyFrom(page, event.currentTarget, text)}
      >
        <Icon name="copy" />
      </button>
    </>
  );
}

function Elapsed({ since }: { since: number }) {
  const { now } = usePage();
  return <span class="dim nums">{runningTime(now.value - since)}</span>;
}

function Foot({ terminal, text, running }: { terminal: TerminalView; text: string; running: boolean }) {
  const { t } = usePage();
  const { exit, startedAt, endedAt } = terminal;
  return (
    <div class="foot">
      {running && <Elapsed since={startedAt} />}
      {exit && <span class={exit.code === 0 ? 'dim nums' : 'bad nums'}>{exitText(exit, t)}</span>}
      {exit && <span class="dim nums">{shortTime((endedAt ?? startedAt) - startedAt)}</span>}
      <Buttons terminal={terminal} text={text} running={running} />
    </div>
  );
}

/** True while the command may print more. `over`: the call that shows it has ended, and with it a command of the agent's own. */
const isRunning = ({ exit, released, agents }: TerminalView, over: boolean): boolean =>
  !exit && !released && !(agents && over);

function Screen({ terminal, title, over }: { terminal: TerminalView; title: string; over: boolean }) {
  const { t } = usePage();
  const { terminalId, exit, command, hiddenLines, agents } = terminal;
  const [all, setAll] = useOpen(`terminal:${terminalId}`, false);
  useLayoutEffect(watchTerminalColours, []);
  const lines = usedLines(terminal);
  const running = isRunning(terminal, over);
  const end = exit ? { 'data-exit': exit.signal ?? String(exit.code ?? '') } : {};
  return (
    <div class="term-box" data-terminal-id={terminalId} {...end}>
      {command && !title.includes(command) && <div class="term-command mono">$ {visibleText(command)}</div>}
      {lines.length > TAIL && (
        <button type="button" class="term-more" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('showFewerLines') : t('showAllLines', lines.length)}
        </button>
      )}
      <Lines
        lines={all ? lines : lines.slice(-TAIL)}
        hidden={all ? hiddenLines : 0}
        running={running}
        agents={agents === true}
      />
      <Foot terminal={terminal} text={plainText(lines)} running={running} />
    </div>
  );
}

interface OutputProps {
  terminalId: string;
  title: string;
  over: boolean;
}

/** A command's screen inside a card. `title` is what the card says, so that the command is not said twice. */
export function TerminalOutput({ terminalId, title, over }: OutputProps) {
  const { t, store } = usePage();
  usePart(`terminal:${terminalId}`);
  const terminal = store.terminal(terminalId);
  // A new object each time: the store changes it in place.
  if (terminal) return <Screen terminal={{ ...terminal }} title={title} over={over} />;
  return (
    <div class="term-box dim term-empty" data-terminal-id={terminalId}>
      {t('terminalUnknown')}
    </div>
  );
}
