import type { TrafficToHost } from '../../../src/core/traffic/trafficProtocol';
import { TabHarness, TabPageDriver } from './tabPage';

/** The traffic page in its harness. */
export class TrafficPageDriver extends TabPageDriver {
  /** What the page has told the extension, by its kinds. */
  async sent(): Promise<TrafficToHost[]> {
    return this.page.evaluate<TrafficToHost[]>('window.harness.sent');
  }

  /** Texts of the rows that are drawn. */
  async rows(): Promise<string[]> {
    const texts = await this.page.getByRole('option').and(this.page.locator('.traffic-row')).allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' '));
  }
}

/** A browser for traffic pages. */
export type TrafficHarness = TabHarness<TrafficPageDriver>;
export const TrafficHarness = {
  start: (): Promise<TrafficHarness> =>
    TabHarness.start({
      html: 'traffic.html',
      driver: TrafficPageDriver,
      drawn: '.traffic-page',
      viewport: { width: 900, height: 700 },
    }),
};
