import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchPlan } from '../../src/acp/agentProcess';
import { connectAgent, type ConnectedAgent } from '../../src/acp/connectAgent';
import { PROTOCOL_ID } from '../../src/core/chat/protocol';
import { Emitter } from '../../src/core/emitter';
import type { SessionAction } from '../../src/core/session/actions';
import { readUpdate } from '../../src/core/session/intake';
import { WebviewChannel, type ShownSessions } from '../../src/host/chat/webviewChannel';
import { SessionRecorder } from '../../src/host/history/sessionRecorder';
import type { TurnChanges } from '../../src/host/review/turnChanges';
import { DiffStore } from '../../src/host/session/diffTexts';
import { SessionStore } from '../../src/host/session/sessionStore';

const key = 'key';

/** A session as the window has it, with its page and its file, but without a VS Code. */
export class TrackedSession {
  readonly store = new SessionStore('edit');
  /** Chunks that arrived. */
  chunks = 0;
  /** Bytes that the page was sent. */
  posted = 0;
  private readonly diffs = new DiffStore();
  private readonly channel: WebviewChannel;
  private readonly recorder: SessionRecorder;
  private agent: ConnectedAgent | undefined;

  constructor(storage: string) {
    mkdirSync(storage, { recursive: true });
    this.channel = this.openPage();
    this.recorder = new SessionRecorder({
      key,
      state: () => this.store.state,
      files: { log: join(storage, 'log.ndjson'), list: join(storage, 'list.json') },
      log: console.error,
      notKept: 'not kept',
      now: Date.now,
      maxFileBytes: 16 << 20,
      onCreated: () => undefined,
      onClosed: () => undefined,
      after: Promise.resolve(),
    });
    this.store.onDidDispatch((action) => this.recorder.take(action));
  }

  async connect(plan: LaunchPlan, changes: TurnChanges): Promise<void> {
    this.agent = await connectAgent({
      plan,
      handlers: {
        session: { update: (_, value) => this.take(value, changes) },
        permission: { request: () => Promise.reject(new Error('not expected')) },
        onUnknownNotification: () => undefined,
      },
      capabilities: {},
      clientInfo: { name: 'bench', version: '0' },
      logger: console,
      onStderr: (text) => process.stderr.write(text),
      onSkippedLine: (line) => console.error(line),
      aborted: new AbortController().signal,
    });
    await this.agent.client.newSession({ cwd: plan.cwd, mcpServers: [] });
  }

  /** One turn, until its changes are known and all is on disk. */
  async run(changes: TurnChanges, folder: string): Promise<void> {
    this.dispatch({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: Date.now() });
    await changes.begin(key, 1, [folder]);
    await this.agent?.client.prompt('edit-1', [{ type: 'text', text: 'go' }]);
    this.dispatch({ type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: Date.now() });
    await changes.end(key);
    await this.recorder.written();
  }

  dispatch(action: SessionAction): void {
    this.store.dispatch(action);
  }

  async stop(): Promise<void> {
    this.channel.dispose();
    await this.recorder.close();
    await this.agent?.stop();
  }

  private take(value: unknown, changes: TurnChanges): void {
    const update = readUpdate(value, this.diffs.keep);
    if (update.kind === 'chunk') this.chunks++;
    if (update.kind === 'toolCall' || update.kind === 'toolCallUpdate')
      for (const { path } of update.patch.locations ?? []) changes.mentioned(key, path);
    this.dispatch({ type: 'update', update, at: Date.now() });
  }

  /** A page that takes what it is sent as the editor sends it: as JSON. */
  private openPage(): WebviewChannel {
    const dispatched = new Emitter<{ session: { key: string }; action: SessionAction }>();
    this.store.onDidDispatch((action) => dispatched.fire({ session: { key }, action }));
    const sessions: ShownSessions = {
      current: { key, store: this.store },
      list: () => ({ rows: [], loading: false, problem: null }),
      onDidDispatch: dispatched.event,
      onDidSwitch: new Emitter<void>().event,
      onDidChangeList: new Emitter<void>().event,
    };
    const fromPage = new Emitter<unknown>();
    const channel = new WebviewChannel({
      page: {
        postMessage: (message) => {
          this.posted += JSON.stringify(message).length;
          return Promise.resolve(true);
        },
        onDidReceiveMessage: fromPage.event,
      },
      sessions,
      drafts: { get: () => ({ text: '', attachments: [] }), set: () => undefined },
      composer: {
        mentions: { find: () => Promise.resolve(), take: () => Promise.reject(new Error('not expected')) },
        takeDropped: () => Promise.reject(new Error('not expected')),
        sendKey: () => 'enter',
        onDidChangeSendKey: new Emitter<void>().event,
      },
      code: {
        highlight: (_, { block }) => Promise.resolve({ type: 'noTokens', block, why: 'plain' }),
        onDidChangeTheme: new Emitter<void>().event,
      },
      start: { show: () => undefined, showModels: () => undefined, onDidPost: new Emitter<never>().event },
      perform: () => Promise.resolve(),
      accept: () => true,
      focused: () => undefined,
      refusal: () => '',
      readPicture: () => Promise.resolve(null),
      log: console.error,
    });
    fromPage.fire({ type: 'ready', protocol: PROTOCOL_ID });
    return channel;
  }
}
