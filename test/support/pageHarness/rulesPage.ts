import type { RulesToHost } from '../../../src/core/permission/rulesProtocol';
import { TabHarness, TabPageDriver } from './tabPage';

type Saved = Omit<RulesToHost & { type: 'save' }, 'id' | 'type'>;

/** The rules page in its harness. */
export class RulesPageDriver extends TabPageDriver {
  /** What the page has asked the extension to save. */
  async saved(): Promise<Saved[]> {
    const sent = await this.page.evaluate<RulesToHost[]>('window.harness.sent');
    return sent.flatMap((message) =>
      message.type === 'save' ? [{ scope: message.scope, before: message.before, rules: message.rules }] : [],
    );
  }

  /** Gives the next change an error. */
  async refuseNext(reason: string): Promise<void> {
    await this.page.evaluate(`window.harness.refuse = ${JSON.stringify(reason)}`);
  }
}

/** A browser for rules pages. */
export type RulesHarness = TabHarness<RulesPageDriver>;
export const RulesHarness = {
  start: (): Promise<RulesHarness> =>
    TabHarness.start({
      html: 'rules.html',
      driver: RulesPageDriver,
      drawn: '.rules-page',
      viewport: { width: 800, height: 1000 },
    }),
};
