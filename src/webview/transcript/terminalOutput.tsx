import type { StyledRun, TerminalView } from '../../core/session/state';
import { useOpen, usePage, usePart, type Page } from '../page';
import { copyFrom } from './copy';
import { shortTime } from './duration';
import { Icon } from './icon';
import { visibleText } from '../../core/visibleText';

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

function exitText(exit: NonNullable<TerminalView['exit']>, t: Page['t']): string {
  return exit.signal ? t('exitSignal', exit.signal) : t('exitCode', exit.code ?? '?');
}

function Lines({
  lines,
  hidden,
  running,
}: {
  lines: readonly StyledRun[][];
  hidden: number;
  running: boolean;
}) {
  const { t } = usePage();
  if (lines.length === 0)
    return <div class="dim term-empty">{running ? t('terminalNoOutput') : t('terminalWasSilent')}</div>;
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

function Buttons({ terminal, text }: { terminal: TerminalView; text: string }) {
  const page = usePage();
  const { t, act } = page;
  const { terminalId } = terminal;
  return (
    <>
      {!terminal.exit && (
        <button type="button" onClick={() => void act({ type: 'stopTerminal', terminalId })}>
          {t('stopCommand')}
        </button>
      )}
      <button type="button" onClick={() => void act({ type: 'openTerminal', terminalId })}>
        {t('openInTerminal')}
      </button>
      <span class="grow" />
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

function Foot({ terminal, text }: { terminal: TerminalView; text: string }) {
  const { t } = usePage();
  const { exit, startedAt, endedAt } = terminal;
  return (
    <div class="foot">
      {exit && <span class={exit.code === 0 ? 'dim nums' : 'bad nums'}>{exitText(exit, t)}</span>}
      {exit && <span class="dim nums">{shortTime((endedAt ?? startedAt) - startedAt)}</span>}
      <Buttons terminal={terminal} text={text} />
    </div>
  );
}

/** A command's screen inside a card. `title` is what the card says, so that the command is not said twice. */
export function TerminalOutput({ terminalId, title }: { terminalId: string; title: string }) {
  const { t, store } = usePage();
  usePart(`terminal:${terminalId}`);
  const [all, setAll] = useOpen(`terminal:${terminalId}`, false);
  const terminal = store.terminal(terminalId);
  if (!terminal)
    return (
      <div class="term-box dim term-empty" data-terminal-id={terminalId}>
        {t('terminalUnknown')}
      </div>
    );
  const lines = usedLines(terminal);
  const { exit, command, hiddenLines } = terminal;
  const end = exit ? { 'data-exit': exit.signal ?? String(exit.code ?? '') } : {};
  return (
    <div class="term-box" data-terminal-id={terminalId} {...end}>
      {command && !title.includes(command) && <div class="term-command mono">$ {visibleText(command)}</div>}
      {lines.length > TAIL && (
        <button type="button" class="term-more" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('showFewerLines') : t('showAllLines', lines.length)}
        </button>
      )}
      <Lines lines={all ? lines : lines.slice(-TAIL)} hidden={all ? hiddenLines : 0} running={!exit} />
      <Foot terminal={{ ...terminal }} text={plainText(lines)} />
    </div>
  );
}
