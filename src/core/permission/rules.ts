export type RuleEffect = 'allow' | 'ask' | 'deny';

/** Where a rule is kept: in memory, in the settings of the workspace, in those of the person. */
export type RuleScope = 'session' | 'workspace' | 'user';

/** A rule of the person; every field that is given must match. One without any field but `effect` matches everything. */
export interface PermissionRule {
  effect: RuleEffect;
  /** Name of an agent in the settings. */
  agent?: string;
  /** Kind of a tool call, such as `execute`, `edit`, `fetch`. */
  kind?: string;
  /** First words of a command. */
  command?: string;
  /** With `allow` and `command`: nothing may follow those words. */
  exact?: boolean;
  /** Glob of a path: absolute, from `~/`, or relative to the folders of the session. */
  path?: string;
  /** Glob of the name of a tool, such as `mcp__github__*`. */
  tool?: string;
  /** With `allow`: takes an option that the agent remembers, where there is one. */
  always?: boolean;
}

export interface ScopedRule {
  rule: PermissionRule;
  scope: RuleScope;
}

/** A command as it would run: a line for a shell, or a program with its arguments and no shell. */
export type CommandSubject = { line: string } | { argv: readonly string[] };

/** What an agent asks for, or does. */
export interface PermissionSubject {
  agent: string;
  /** Kind of the tool call; `other` where the agent says none. */
  kind: string;
  tool?: string;
  command?: CommandSubject;
  /** Where the command runs, as the agent says. */
  cwd?: string;
  /** Text that may be the command, where the agent gives none. It counts for rules that deny or ask, never for one that allows. */
  guess?: string;
  /** Absolute; `real` with links resolved, where that could be done. */
  paths: readonly { path: string; real?: string }[];
}

/** The command of a question as it was asked: the card of its call may say another by now. */
export interface AskedCommand {
  command?: string;
  /** Folder in which it would run, where it is known. */
  cwd?: string;
}

/** What patterns of paths refer to, and how paths are compared. */
export interface PathContext {
  roots: readonly string[];
  home: string;
  windows: boolean;
  ignoreCase: boolean;
}

/** `rules`: those that decided; empty where none matched, which means ask. */
export interface Decision {
  effect: RuleEffect;
  rules: ScopedRule[];
}
