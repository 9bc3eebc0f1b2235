import { readConfigOptions } from '../../core/session/config';
import { asObject } from '../../core/json';
import type { ConfigView } from '../../core/session/state';
import { toSentence } from './sessionErrors';
import type { SessionStore } from './sessionStore';
import type { LiveSession } from './turnRunner';

/** Sets the controls of the composer: shown at once, taken back if the agent refuses (CF-7, CF-9). */
export class ConfigSetter {
  /** What the person chose; set again where the agent forgot it. */
  private readonly chosen = new Map<string, string | boolean>();

  constructor(
    private readonly store: SessionStore,
    private readonly live: () => LiveSession | undefined,
  ) {}

  /** @throws Error with the agent's reason, after the old value is shown again. */
  async set(id: string, value: string | boolean): Promise<void> {
    const item = this.find(id);
    const live = this.live();
    if (!live || !item) return;
    const before = item.value;
    this.store.dispatch({ type: 'configValueSet', id, value });
    try {
      await this.send(live, item, value);
      this.chosen.set(id, value);
    } catch (error) {
      // What the agent or the person set meanwhile counts.
      if (this.find(id)?.value === value) this.store.dispatch({ type: 'configValueSet', id, value: before });
      throw toSentence(error);
    }
  }

  /** Chooses again, after a reconnect, what the person had chosen and the agent offers still. */
  async restore(): Promise<void> {
    for (const [id, value] of this.chosen) {
      const item = this.find(id);
      if (!item || item.value === value) continue;
      if (item.type === 'select' && !item.choices.some((choice) => choice.value === value)) continue;
      // A refusal shows in the control, which has the agent's value again.
      await this.set(id, value).catch(() => undefined);
    }
  }

  private find(id: string): ConfigView | undefined {
    return this.store.state.config.find((config) => config.id === id);
  }

  private async send(live: LiveSession, item: ConfigView, value: string | boolean): Promise<void> {
    const { client } = live.agent;
    if (item.type === 'select' && item.legacyMode) {
      await client.setMode(live.sessionId, String(value));
      return;
    }
    const answer = asObject(await client.setConfigOption(live.sessionId, item.id, value));
    if (Array.isArray(answer['configOptions']))
      this.store.dispatch({ type: 'configChanged', config: readConfigOptions(answer['configOptions']) });
  }
}
