import { readFile } from 'node:fs/promises';
import { Emitter } from '../../core/emitter';
import { asList, asNumber, asObject, asString } from '../../core/json';
import type { RuleEffect, RuleScope } from '../../core/permission/rules';
import { atomicWrite } from '../history/atomicWrite';

/** Decisions that are kept; the oldest go first. */
export const KEPT_DECISIONS = 500;
/** UTF-16 units of what was asked for that are kept. */
const LONGEST = 2_000;

/** One decision that a rule made. */
export interface AuditEntry {
  /** ms since the epoch. */
  at: number;
  agent: string;
  /** Title of the session. */
  session: string;
  /** Command, paths or tool. */
  what: string;
  effect: RuleEffect;
  /** The rules that decided, in words. */
  rules: string[];
  scope: RuleScope;
}

/** The newest automatic decisions, in a file of the workspace's storage (PE-4). No method throws. */
export class AuditLog {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly entries: AuditEntry[] = [];
  private loaded: Promise<void> | undefined;
  private writing: Promise<void> | undefined;
  private isNew = false;

  constructor(
    private readonly file: string,
    private readonly log: (line: string) => void,
  ) {}

  add(entry: AuditEntry): void {
    this.entries.push({ ...entry, what: entry.what.slice(0, LONGEST), rules: [...entry.rules] });
    this.isNew = true;
    this.writing ??= this.write();
    this.changed.fire();
  }

  /** Newest first, those of earlier windows too. */
  async list(): Promise<AuditEntry[]> {
    await this.load();
    return this.entries.slice(-KEPT_DECISIONS).reverse();
  }

  /** Resolves when all decisions are on disk. */
  async flush(): Promise<void> {
    await this.writing;
  }

  private load(): Promise<void> {
    return (this.loaded ??= this.read());
  }

  /** Puts what an earlier window kept before what came since. */
  private async read(): Promise<void> {
    try {
      const kept = asList(JSON.parse(await readFile(this.file, 'utf8')));
      this.entries.unshift(...kept.flatMap(readEntry));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.log(`the list of automatic decisions could not be read: ${String(error)}`);
    }
  }

  private async write(): Promise<void> {
    await this.load();
    try {
      while (this.isNew) {
        this.isNew = false;
        this.entries.splice(0, Math.max(0, this.entries.length - KEPT_DECISIONS));
        await atomicWrite(this.file, JSON.stringify(this.entries));
      }
    } catch (error) {
      this.log(`the list of automatic decisions could not be kept: ${String(error)}`);
    } finally {
      this.writing = undefined;
    }
  }
}

function readEntry(value: unknown): AuditEntry[] {
  const { at, agent, session, what, effect, rules, scope } = asObject(value);
  if (asNumber(at) === undefined || !isEffect(effect) || !isScope(scope)) return [];
  const texts = asList(rules).filter((rule) => typeof rule === 'string');
  return [
    {
      at: at as number,
      agent: asString(agent) ?? '',
      session: asString(session) ?? '',
      what: asString(what) ?? '',
      effect,
      rules: texts,
      scope,
    },
  ];
}

const isEffect = (value: unknown): value is RuleEffect =>
  value === 'allow' || value === 'ask' || value === 'deny';
const isScope = (value: unknown): value is RuleScope =>
  value === 'session' || value === 'workspace' || value === 'user';
