import { terminalCommandText, TextTail, type TerminalCommand } from '../../../core/chat/terminalText';
import type { Event } from '../../../core/emitter';
import { DisposableStore, type Disposable } from '../../../core/lifecycle';

/** A command in a terminal with shell integration; the shape of `vscode.TerminalShellExecution`. */
export interface ShellExecution {
  readonly commandLine: { readonly value: string };
  read(): AsyncIterable<string>;
}

/** What is needed of the editor's terminals, which are told apart as objects. */
export interface TerminalEvents {
  onDidStart: Event<{ terminal: object; execution: ShellExecution }>;
  onDidEnd: Event<{ terminal: object; execution: ShellExecution; exitCode: number | undefined }>;
  onDidClose: Event<object>;
  /** The terminal in front; undefined where there is none. */
  active: () => object | undefined;
}

interface Kept {
  execution: ShellExecution;
  command: string;
  tail: TextTail;
  exitCode: number | undefined;
  ended: boolean;
}

/** The commands of one terminal that are kept. */
interface Commands {
  ended?: Kept;
  running?: Kept;
}

/**
 * Keeps the last command of each terminal with the end of its output. There is nothing of a terminal without shell integration, nor
 * of what ran before.
 */
export class TerminalCommands implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly commands = new Map<object, Commands>();
  private last: object | undefined;

  constructor(private readonly events: TerminalEvents) {
    this.disposables.add(events.onDidStart(({ terminal, execution }) => this.start(terminal, execution)));
    this.disposables.add(
      events.onDidEnd(({ terminal, execution, exitCode }) => this.end(terminal, execution, exitCode)),
    );
    this.disposables.add(
      events.onDidClose((terminal) => {
        this.commands.delete(terminal);
      }),
    );
  }

  /** The command that ended last in the terminal in front, else the one that runs; of the terminal of the last command without one. */
  latest(): TerminalCommand | undefined {
    const { ended, running } = this.commandsOf(this.events.active()) ?? this.commandsOf(this.last) ?? {};
    const kept = ended ?? running;
    if (!kept) return undefined;
    const { command, tail, exitCode } = kept;
    return { command, output: tail.read(), isCut: tail.isCut, exitCode, ended: kept.ended };
  }

  /** The latest command as text for the agent; undefined where there is none. */
  text(): string | undefined {
    const latest = this.latest();
    return latest && terminalCommandText(latest);
  }

  dispose(): void {
    this.disposables.dispose();
    this.commands.clear();
  }

  private commandsOf(terminal: object | undefined): Commands | undefined {
    return terminal && this.commands.get(terminal);
  }

  private start(terminal: object, execution: ShellExecution): void {
    const command = execution.commandLine.value;
    const kept: Kept = { execution, command, tail: new TextTail(), exitCode: undefined, ended: false };
    this.commands.set(terminal, { ...this.commands.get(terminal), running: kept });
    this.last = terminal;
    void follow(kept);
  }

  private end(terminal: object, execution: ShellExecution, exitCode: number | undefined): void {
    const running = this.commands.get(terminal)?.running;
    if (running?.execution !== execution) return;
    // The shell may know it better by now than when it began.
    const command = execution.commandLine.value || running.command;
    Object.assign(running, { command, exitCode, ended: true });
    this.commands.set(terminal, { ended: running });
  }
}

async function follow({ execution, tail }: Kept): Promise<void> {
  try {
    for await (const piece of execution.read()) tail.push(piece);
  } catch {
    // The terminal went away in the middle; what came before is kept.
  }
}
