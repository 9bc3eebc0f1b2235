import { ErrorCode } from '../../core/acp';
import { WireError } from '../../core/errors';
import { ruleText } from '../../core/permission/ruleText';
import type { CommandSubject, Decision } from '../../core/permission/rules';
import type { PermissionOptionView } from '../../core/session/state';
import type { OwnQuestion } from '../bridges/permissionBridge';
import { commandText } from './toolCallInFull';
import type { Asked, PermissionPolicy } from './policy';

/** A file that an agent reads or writes through Parley. */
export interface FileAct {
  kind: 'read' | 'edit';
  path: string;
}

/** A command that an agent runs through Parley. */
export interface CommandAct {
  command: CommandSubject;
  cwd: string;
}

export interface ActionGateOptions {
  policy: PermissionPolicy;
  permissions: {
    askOwn(key: string, question: OwnQuestion, options: PermissionOptionView[]): Promise<string | undefined>;
    /** True if the person just allowed this by hand. */
    takeAllowed(key: string, asked: Asked): boolean;
  };
  /** Tells the person in the transcript that a rule refused something. */
  refused(key: string, what: string, rule: string): void;
  texts: {
    title(act: 'read' | 'edit' | 'run', what: string): string;
    allow(): string;
    reject(): string;
  };
}

/**
 * Holds what agents do through Parley without asking against the person's rules: deny refuses, ask asks; what no rule matches runs at
 * once, since agents ask for permission where they want to.
 */
export class ActionGate {
  constructor(private readonly options: ActionGateOptions) {}

  /** Resolves if the file may be read or written. Rejects with a WireError. */
  async file(key: string, { kind, path }: FileAct): Promise<void> {
    const title = this.options.texts.title(kind, path);
    await this.pass(key, { kind, paths: [path] }, { title, kind }, path);
  }

  /** Resolves if the command may be run. Rejects with a WireError. */
  async command(key: string, { command, cwd }: CommandAct): Promise<void> {
    const line = commandText(command);
    const question = { title: this.options.texts.title('run', line), kind: 'execute', command: line, cwd };
    await this.pass(key, { kind: 'execute', command, cwd, paths: [] }, question, line);
  }

  private async pass(key: string, asked: Asked, question: OwnQuestion, what: string): Promise<void> {
    const { policy, permissions } = this.options;
    const decision = await policy.decide(key, asked);
    if (decision.effect === 'deny') this.refuse(key, asked, decision, what);
    if (decision.effect !== 'ask' || decision.rules.length === 0) return;
    if (permissions.takeAllowed(key, asked)) return;
    if ((await permissions.askOwn(key, question, this.choices())) === 'allow') return;
    throw new WireError(ErrorCode.internal, 'The person did not allow this.');
  }

  private refuse(key: string, asked: Asked, decision: Decision, what: string): never {
    this.options.policy.note(key, asked, decision);
    this.options.refused(key, what, decision.rules.map(({ rule }) => ruleText(rule)).join('; '));
    throw new WireError(ErrorCode.internal, 'A rule of the person refuses this.');
  }

  private choices(): PermissionOptionView[] {
    const { texts } = this.options;
    return [
      { optionId: 'allow', name: texts.allow(), kind: 'allow_once' },
      { optionId: 'reject', name: texts.reject(), kind: 'reject_once' },
    ];
  }
}
