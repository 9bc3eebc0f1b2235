import { homedir, release, userInfo } from 'node:os';
import * as vscode from 'vscode';
import { BUILT_IN_AGENT } from '../../core/agents/definition';
import { englishDiagnoseStrings } from '../../core/diagnostics/diagnoseStrings';
import type { AgentReport } from '../../core/diagnostics/report';
import { reportMarkdown } from '../../core/diagnostics/reportMarkdown';
import { Emitter } from '../../core/emitter';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { AgentRegistry } from '../agents/agentRegistry';
import type { LoginShell } from '../agents/loginShell';
import type { Base } from '../base';
import { webviewHtml } from '../chat/webviewHtml';
import type { Sessions } from '../session/sessions';
import type { SpawnerState } from '../terminal/ptyProcess';
import { failureError } from '../userErrors';
import { listFolder } from '../workspaceFolder';
import { collectReport, type ReportSource, type Surroundings } from './collectReport';
import { DiagnoseChannel, type DiagnoseSource } from './diagnoseChannel';

export interface DiagnoseParts {
  base: Pick<Base, 'context' | 'log' | 'facts' | 'environment'>;
  registry: Pick<AgentRegistry, 'names' | 'launchPlan'>;
  sessions: Sessions;
  shell: Pick<LoginShell, 'described'>;
  /** How the next command of an agent would be started. */
  spawning: () => SpawnerState;
  openChat: () => Promise<void>;
}

/** The pages of diagnostics: an editor tab per agent, at most one of each. */
export class Diagnose implements Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  constructor(private readonly parts: DiagnoseParts) {}

  /** Shows the page of that agent; without a name, the person picks one where there are several. */
  async show(name: unknown): Promise<void> {
    const agent = typeof name === 'string' ? name : await this.pick();
    if (agent === undefined) return;
    const panel = this.panels.get(agent);
    if (panel) panel.reveal();
    else this.open(agent);
  }

  dispose(): void {
    for (const panel of this.panels.values()) panel.dispose();
  }

  /** The agent of the shown session comes first. */
  private async pick(): Promise<string | undefined> {
    const shown = this.parts.sessions.state.agent.id;
    const names = [shown, ...this.parts.registry.names().filter((name) => name !== shown)];
    if (names.length === 1) return shown;
    return vscode.window.showQuickPick(names, {
      title: vscode.l10n.t('Diagnose which agent?'),
      // A page that was just opened may take the focus late.
      ignoreFocusOut: true,
    });
  }

  private open(agent: string): void {
    const { extensionUri } = this.parts.base.context;
    const title = vscode.l10n.t('Diagnostics: {0}', agent);
    const panel = vscode.window.createWebviewPanel('parley.diagnose', title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: ['dist', 'media'].map((dir) => vscode.Uri.joinPath(extensionUri, dir)),
    });
    this.panels.set(agent, panel);
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
    const store = new DisposableStore();
    const { source, listening } = sourceOf(agent, this.parts);
    store.add(listening);
    store.add(new DiagnoseChannel(panel.webview, source, (line) => this.parts.base.log.main.warn(line)));
    panel.onDidDispose(() => {
      this.panels.delete(agent);
      store.dispose();
    });
    panel.webview.html = webviewHtml(panel.webview, extensionUri, {
      title,
      script: 'diagnosePage.js',
      styles: ['chat.css', 'diagnose.css'],
      strings: englishDiagnoseStrings,
    });
  }
}

/** Builds the pages of diagnostics; they are opened on demand. */
export function buildDiagnose(parts: DiagnoseParts): Diagnose {
  return new Diagnose(parts);
}

function sourceOf(agent: string, parts: DiagnoseParts): { source: DiagnoseSource; listening: Disposable } {
  const { base, sessions } = parts;
  const changed = new Emitter<void>();
  const listening = new DisposableStore();
  listening.add(base.facts.onDidChange((id) => id === agent && changed.fire()));
  const reports = reportSource(agent, parts);
  return {
    listening,
    source: {
      collect: () => collectReport(agent, reports),
      onDidChange: changed.event,
      // In English, since it is for whoever is to help.
      copy: async (report) => vscode.env.clipboard.writeText(reportMarkdown(report, englishDiagnoseStrings)),
      restart: async () => {
        const [session] = openSessions(agent, sessions);
        if (session) return session.controller.restart();
        await parts.openChat();
        await sessions.create(agent);
      },
      showLog: () => base.log.show(agent),
    },
  };
}

/** Those of the agent that are open in the window, the shown one first. */
function openSessions(agent: string, sessions: Sessions): NonNullable<ReturnType<Sessions['find']>>[] {
  return sessions
    .list()
    .rows.filter((row) => row.origin === 'open' && row.agentId === agent)
    .sort((one, other) => Number(other.current) - Number(one.current))
    .flatMap(({ key }) => sessions.find(key) ?? []);
}

function reportSource(agent: string, parts: DiagnoseParts): ReportSource {
  const { base, registry, sessions, shell } = parts;
  const isBuiltIn = agent === BUILT_IN_AGENT;
  return {
    launchPlan: () => registry.launchPlan(agent, folderOf(agent, sessions)),
    environment: () => (isBuiltIn ? Promise.resolve(process.env) : base.environment()),
    origin: () => (isBuiltIn ? { source: 'editor' } : shell.described()),
    start: () => base.facts.last(agent),
    sessions: () => {
      const open = openSessions(agent, sessions);
      const wantSignIn = open.some(({ store }) => store.state.connection.status === 'auth');
      return { open: open.filter(({ controller }) => controller.live).length, wantSignIn };
    },
    surroundings: () => surroundings(parts),
    sentence: (failure) => failureError(agent, failure).message,
    home: homedir(),
    user: userName(),
    now: Date.now,
  };
}

/** Where the agent works, or would work. */
function folderOf(agent: string, sessions: Sessions): string {
  const known = openSessions(agent, sessions).flatMap(({ store }) => store.state.cwd ?? []);
  return known[0] ?? listFolder() ?? homedir();
}

function surroundings({ base, spawning }: DiagnoseParts): Surroundings {
  const { version } = base.context.extension.packageJSON as { version: string };
  const { env, workspace, UIKind } = vscode;
  return {
    terminals: spawning(),
    parley: version,
    editor: `${env.appName} ${vscode.version}`,
    platform: `${process.platform} ${release()} ${process.arch}, Node.js ${process.versions.node}`,
    ...(env.remoteName === undefined ? {} : { remote: env.remoteName }),
    ui: env.uiKind === UIKind.Web ? 'web' : 'desktop',
    trusted: workspace.isTrusted,
  } satisfies Partial<AgentReport>;
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined; // An account without an entry in the system, as in containers.
  }
}
