import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { format } from '../../core/chat/strings';
import type { Disposable } from '../../core/lifecycle';
import type { PermissionRule, RuleScope } from '../../core/permission/rules';
import {
  readHostMessage,
  rulesOf,
  type RulesToHost,
  type RulesView,
} from '../../core/permission/rulesProtocol';
import type { RulesString, RulesStrings } from '../../core/permission/rulesStrings';
import type { HostApi } from '../channel';

/** A rule that is being written; `index` is undefined for a new one. */
export interface Editing {
  scope: RuleScope;
  index?: number;
}

/** What was deleted last, until something else is done. */
export interface Deleted {
  scope: RuleScope;
  index: number;
  rule: PermissionRule;
}

/** All that the views of the rules page share. */
export class RulesModel implements Disposable {
  readonly view = signal<RulesView | null>(null);
  readonly editing = signal<Editing | null>(null);
  readonly deleted = signal<Deleted | null>(null);
  /** Why the last change was not saved. */
  readonly problem = signal<string | null>(null);
  /** `data-focus` of what gets the focus when it is drawn. */
  readonly focus = signal<string | null>(null);
  private readonly waiting = new Map<number, (error: string | null) => void>();
  private nextId = 1;

  constructor(
    private readonly host: HostApi,
    private readonly strings: RulesStrings,
  ) {
    window.addEventListener('message', this.receive);
  }

  /** A text of the page. */
  readonly t = (key: RulesString, ...args: readonly (string | number)[]): string =>
    format(this.strings[key], ...args);

  ready(): void {
    this.post({ type: 'ready' });
  }

  dispose(): void {
    window.removeEventListener('message', this.receive);
  }

  rules(scope: RuleScope): PermissionRule[] {
    return rulesOf(this.view.value?.rules ?? [], scope);
  }

  edit(scope: RuleScope, index?: number): void {
    this.editing.value = index === undefined ? { scope } : { scope, index };
  }

  /** Leaves the form; the focus goes back to what opened it. */
  stopEditing(): void {
    const editing = this.editing.peek();
    this.editing.value = null;
    if (editing) this.focus.value = focusName(editing.scope, editing.index);
  }

  /** Puts the rule of the form into its scope; true if it was saved. */
  async put({ scope, index }: Editing, rule: PermissionRule): Promise<boolean> {
    const rules = this.rules(scope);
    const at = index ?? rules.length;
    rules[at] = rule;
    const saved = await this.save(scope, rules);
    if (!saved) return false;
    this.deleted.value = null;
    this.editing.value = null;
    this.focus.value = focusName(scope, at);
    return true;
  }

  async remove(scope: RuleScope, index: number): Promise<void> {
    const rules = this.rules(scope);
    const [rule] = rules.splice(index, 1);
    if (!rule || !(await this.save(scope, rules))) return;
    if (this.editing.peek()?.scope === scope) this.editing.value = null;
    this.deleted.value = { scope, index, rule };
    this.focus.value = 'undo';
  }

  async restore({ scope, index, rule }: Deleted): Promise<void> {
    const rules = this.rules(scope);
    const at = Math.min(index, rules.length);
    rules.splice(at, 0, rule);
    if (!(await this.save(scope, rules))) return;
    this.deleted.value = null;
    this.focus.value = focusName(scope, at);
  }

  private async save(scope: RuleScope, rules: PermissionRule[]): Promise<boolean> {
    // A second press while the first is on its way.
    if (this.waiting.size > 0) return false;
    const id = this.nextId++;
    const error = await new Promise<string | null>((resolve) => {
      this.waiting.set(id, resolve);
      this.post({ type: 'save', id, scope, before: this.rules(scope), rules });
    });
    this.problem.value = error;
    return error === null;
  }

  private post(message: RulesToHost): void {
    this.host.postMessage(message);
  }

  private readonly receive = (event: MessageEvent<unknown>): void => {
    const message = readHostMessage(event.data);
    if (message?.type === 'view') this.view.value = message.view;
    else if (message) {
      this.waiting.get(message.id)?.(message.error);
      this.waiting.delete(message.id);
    }
  };
}

/** The `data-focus` of a rule's edit button, or of the button that adds one. */
export const focusName = (scope: RuleScope, index?: number): string => `${scope} ${index ?? 'add'}`;

/** Carries the page to its views. */
export const RulesContext = createContext<RulesModel | undefined>(undefined);

export function useRules(): RulesModel {
  const model = useContext(RulesContext);
  if (!model) throw new Error('A view was drawn outside the page.');
  return model;
}
