import type { Disposable } from '../../core/lifecycle';
import type { RuleScope } from '../../core/permission/rules';
import type { PermissionPrompter, PermissionRequest } from '../bridges/permissionBridge';
import { PermissionDialog } from './permissionDialog';
import { PickOrder } from './pickOrder';

export interface PickerOptions {
  /** False where the person wants to be asked in the card alone. */
  enabled: () => boolean;
  /** Who asks, by the key of the session. */
  asker: (key: string) => string;
  answer: (requestId: string, optionId: string, reason?: string) => unknown;
  /** Saves the offered rules and allows. Rejects with a sentence. */
  keep: (requestId: string, optionId: string, scope: RuleScope) => Promise<unknown>;
  /** Scopes that can keep a rule here. */
  scopes: () => RuleScope[];
}

/**
 * Shows permission requests as quick picks, one at a time, oldest first. Escape only hides the pick; the question stays open in its card
 * and can be shown again.
 */
export class PermissionPicker implements PermissionPrompter, Disposable {
  private readonly order: PickOrder;

  constructor(private readonly options: PickerOptions) {
    this.order = new PickOrder((request, closed) => {
      const dialog = new PermissionDialog({ request, closed, total: () => this.order.total, ...options });
      dialog.open();
      return dialog;
    });
  }

  ask(request: PermissionRequest, first?: boolean): void {
    if (this.options.enabled()) this.order.ask(request, first);
  }

  withdraw(requestId: string): void {
    this.order.withdraw(requestId);
  }

  dispose(): void {
    this.order.dispose();
  }
}
