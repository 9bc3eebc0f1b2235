import type { LaunchPlan } from '../../acp/agentProcess';
import type { ConnectedAgent } from '../../acp/connectAgent';
import type { TraceHook } from '../../acp/connection';
import { AgentError } from '../../core/errors';
import type { RunEnd } from '../../core/traffic/entry';
import type { RunRecorder } from '../../core/traffic/recorder';

/** Records processes of agents; loaded with the first that is to be recorded. */
export interface TrafficSource {
  /** @param midway what the agent said of itself, where it runs already. */
  record(agentId: string, plan: LaunchPlan, midway?: object): RunRecorder;
}

/** One process of an agent, whose traffic may be recorded from any moment on. */
export class WatchedRun {
  /** Where nothing is recorded there is no hook: a message costs nothing. */
  private recorder: RunRecorder | undefined;
  private agent: ConnectedAgent | undefined;
  private asked = false;
  private begun = false;

  constructor(
    private readonly agentId: string,
    private readonly plan: LaunchPlan,
    private readonly ended: () => void,
  ) {}

  get trace(): TraceHook | undefined {
    const { recorder } = this;
    return recorder && ((direction, message) => recorder.message(direction, message));
  }

  /** Begins to record, unless that has begun already. */
  record(source: TrafficSource): void {
    if (this.recorder) return;
    const midway = this.begun ? this.introduced() : undefined;
    this.attach(source.record(this.agentId, this.plan, midway));
  }

  stopRecording(): void {
    this.attach(undefined);
  }

  /** From here on the process speaks. */
  begin(): void {
    this.begun = true;
  }

  stderr(text: string): void {
    this.recorder?.stderr(text);
  }

  line(text: string): void {
    this.recorder?.line(text);
  }

  /** The agent runs; gives it with a stop that tells who ended it. */
  connected(agent: ConnectedAgent): ConnectedAgent {
    this.agent = agent;
    agent.client.trace = this.trace;
    void agent.process.exited.then(({ code, signal }) => this.end({ code, signal, asked: this.asked }));
    const stop = (): Promise<void> => {
      this.asked = true;
      return agent.stop();
    };
    return { ...agent, stop };
  }

  /** It could not be started. */
  failed(error: unknown): void {
    const failure = error instanceof AgentError ? error.failure : undefined;
    if (failure?.reason === 'exited') this.end({ code: failure.code, signal: failure.signal, asked: false });
    else this.end({ failed: failure?.reason ?? 'error' });
  }

  private end(how: RunEnd | { failed: string }): void {
    this.recorder?.end(how);
    this.ended();
  }

  private attach(recorder: RunRecorder | undefined): void {
    this.recorder = recorder;
    if (this.agent) this.agent.client.trace = this.trace;
  }

  private introduced(): object {
    const { name, title, version } = this.agent?.introduction ?? {};
    return { agentInfo: { name, title, version } };
  }
}

/** Turns the recording of all agents of a window on and off. */
export class TrafficSwitch {
  private readonly runs = new Set<WatchedRun>();

  /** @param source loads what records. */
  constructor(
    private readonly enabled: () => boolean,
    private readonly source: () => Promise<TrafficSource>,
  ) {}

  /** A process that is about to be started. */
  async begin(agentId: string, plan: LaunchPlan): Promise<WatchedRun> {
    const run: WatchedRun = new WatchedRun(agentId, plan, () => this.runs.delete(run));
    this.runs.add(run);
    if (this.enabled()) run.record(await this.source());
    run.begin();
    return run;
  }

  /** Looks at the setting anew; agents that run need no restart. */
  async refresh(): Promise<void> {
    if (this.enabled() && this.runs.size > 0) {
      const source = await this.source();
      for (const run of this.runs) run.record(source);
    }
    // It may have been turned off meanwhile.
    if (!this.enabled()) for (const run of this.runs) run.stopRecording();
  }
}
