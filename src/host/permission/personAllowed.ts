import { resolve } from 'node:path';
import type { CommandSubject } from '../../core/permission/rules';
import { commandText } from './toolCallInFull';
import type { Asked } from './policy';

interface Turn {
  turn: number;
  paths: Set<string>;
  /** By command and folder; `once`: the next run uses it up. */
  commands: Map<string, 'once' | 'always'>;
}

/**
 * What the person allowed by hand in the current turn of each session, so that a rule that says ask does not ask them again when the
 * agent then does it.
 */
export class PersonAllowed {
  private readonly turns = new Map<string, Turn>();

  /** `turn` is the number of the session's turn, here and below; `cwd` the folder that relative paths are in. */
  add(key: string, turn: number, asked: Asked, { always, cwd }: { always: boolean; cwd: string }): void {
    const { paths, commands } = this.of(key, turn);
    for (const path of asked.paths) paths.add(pathKey(asked.kind, resolve(cwd, path)));
    if (asked.command)
      commands.set(commandKey(asked.command, resolve(cwd, asked.cwd ?? '.')), always ? 'always' : 'once');
  }

  /** True if the person allowed just this; a command that was allowed once is used up by that. */
  take(key: string, turn: number, asked: Asked): boolean {
    const { paths, commands } = this.of(key, turn);
    if (!asked.command)
      return asked.paths.length > 0 && asked.paths.every((path) => paths.has(pathKey(asked.kind, path)));
    const command = commandKey(asked.command, resolve(asked.cwd ?? '/'));
    const allowed = commands.get(command);
    if (allowed === 'once') commands.delete(command);
    return allowed !== undefined;
  }

  private of(key: string, turn: number): Turn {
    const known = this.turns.get(key);
    if (known?.turn === turn) return known;
    const fresh = { turn, paths: new Set<string>(), commands: new Map<string, 'once' | 'always'>() };
    this.turns.set(key, fresh);
    return fresh;
  }
}

const pathKey = (kind: string, path: string): string => `${kind} ${path}`;

/** One text for a line and for the same words given apart. */
const commandKey = (command: CommandSubject, cwd: string): string => `${cwd}\n${commandText(command).trim()}`;
