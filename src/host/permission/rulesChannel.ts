import type { Event } from '../../core/emitter';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { RuleProblem } from '../../core/permission/parseRules';
import type { PathContext, PermissionRule, RuleScope, ScopedRule } from '../../core/permission/rules';
import {
  readRulesMessage,
  rulesOf,
  sameRules,
  type AuditView,
  type HostToRules,
  type RulesToHost,
} from '../../core/permission/rulesProtocol';

/** What the rules page shows and changes. */
export interface RulesSource {
  /** The rules of all scopes, also those of a workspace that is not trusted. */
  rules(): { rules: readonly ScopedRule[]; problems: readonly (RuleProblem & { scope: RuleScope })[] };
  /** Puts the rules in the place of those of the scope. Rejects with a sentence for the person. */
  save(scope: RuleScope, rules: readonly PermissionRule[]): Promise<void>;
  /** Newest first. */
  audit(): readonly AuditView[] | Promise<readonly AuditView[]>;
  /** Fires when any of this may have changed. */
  onDidChange: Event<void>;
  /** Title of the session that is shown; undefined where there is none. */
  readonly sessionTitle: string | undefined;
  readonly workspaceTrusted: boolean;
  readonly context: PathContext;
  readonly agents: readonly string[];
}

/** A page, as `vscode.Webview` has it. */
export interface RulesPagePort {
  postMessage(message: HostToRules): unknown;
  onDidReceiveMessage(listener: (message: unknown) => void): Disposable;
}

/** Sentences for the person. */
export interface RulesTexts {
  /** The rules are not those any more that the page showed. */
  changed: string;
}

/** Connects one rules page to the rules. */
export class RulesChannel implements Disposable {
  private readonly store = new DisposableStore();
  private ready = false;
  private disposed = false;
  /** Which sending is the newest, since the list of decisions may come late. */
  private turn = 0;

  constructor(
    private readonly page: RulesPagePort,
    private readonly source: RulesSource,
    private readonly texts: RulesTexts,
    private readonly log: (line: string) => void,
  ) {
    this.store.add(page.onDidReceiveMessage((message) => this.receive(message)));
    this.store.add(source.onDidChange(() => this.show()));
  }

  /** Sends what there is now. */
  show(): void {
    if (this.ready) void this.send(++this.turn);
  }

  dispose(): void {
    this.disposed = true;
    this.store.dispose();
  }

  private async send(turn: number): Promise<void> {
    const { source } = this;
    let audit: readonly AuditView[] = [];
    try {
      audit = await source.audit();
    } catch (error) {
      this.log(`the list of automatic decisions could not be read: ${String(error)}`);
    }
    if (this.disposed || turn !== this.turn) return;
    const { rules, problems } = source.rules();
    const { sessionTitle, workspaceTrusted, context } = source;
    this.page.postMessage({
      type: 'view',
      view: {
        rules: [...rules],
        problems: [...problems],
        audit: [...audit],
        ...(sessionTitle === undefined ? {} : { sessionTitle }),
        workspaceTrusted,
        context,
        agents: [...source.agents],
      },
    });
  }

  private receive(value: unknown): void {
    const message = readRulesMessage(value);
    if (!message) {
      this.log('the rules page sent a message that is not understood');
      return;
    }
    if (message.type === 'save') void this.save(message);
    else {
      this.ready = true;
      this.show();
    }
  }

  private async save(message: RulesToHost & { type: 'save' }): Promise<void> {
    const { id, scope, before, rules } = message;
    let error: string | null = null;
    try {
      if (!sameRules(rulesOf(this.source.rules().rules, scope), before)) error = this.texts.changed;
      else await this.source.save(scope, rules);
    } catch (failure) {
      error = failure instanceof Error ? failure.message : String(failure);
    }
    // First what there is now, since the page compares with it at its next change.
    await this.send(++this.turn);
    if (!this.disposed) this.page.postMessage({ type: 'reply', id, error });
  }
}
