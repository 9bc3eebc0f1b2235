import type { DiagnoseToHost } from '../../../src/core/diagnostics/diagnoseProtocol';
import { TabHarness, TabPageDriver } from './tabPage';

/** The diagnostics page in its harness. */
export class DiagnosePageDriver extends TabPageDriver {
  /** What the person asked for, in its order. */
  async pressed(): Promise<string[]> {
    const sent = await this.page.evaluate<DiagnoseToHost[]>('window.harness.sent');
    return sent.flatMap((message) => (message.type === 'act' ? [message.action] : []));
  }

  /** Shows the report of another scene, as after a change. */
  async show(scene: string): Promise<void> {
    await this.page.evaluate(`window.harness.show(${JSON.stringify(scene)})`);
  }

  /** Gives the next press an error. */
  async refuseNext(reason: string): Promise<void> {
    await this.page.evaluate(`window.harness.refuse = ${JSON.stringify(reason)}`);
  }

  /** The text of a section. */
  async section(id: string): Promise<string> {
    const text = await this.page.locator(`[data-section="${id}"]`).innerText();
    return text.replaceAll(/\s+/g, ' ');
  }
}

/** A browser for diagnostics pages. */
export type DiagnoseHarness = TabHarness<DiagnosePageDriver>;
export const DiagnoseHarness = {
  start: (): Promise<DiagnoseHarness> =>
    TabHarness.start({
      html: 'diagnose.html',
      driver: DiagnosePageDriver,
      drawn: '[data-section="editor"]',
      viewport: { width: 800, height: 1000 },
    }),
};
