import { join } from 'node:path';
import * as vscode from 'vscode';
import { platformKey } from '../../core/agents/registryChoice';
import { needsProof } from '../../core/agents/registryInstalls';
import { isFetchable } from '../../core/agents/registryDocument';
import { Command, Setting } from '../contributions';
import { unlinked } from '../unlinked';
import { AgentStore, storeRows, type StoreRow } from './agentStore';
import { Installer, type Phase } from './installer';
import { InstallFailure } from './installFailure';
import type { RegistryOptions, RegistryParts } from './lazyRegistry';
import { pickFromRegistry, type RowAction, type ShownList } from './registryPicker';
import { RegistrySource } from './registrySource';
import { ageText, consentText, failureSentence, phaseText } from './registryTexts';
import { unpackInThread } from './unpack';

const { t } = vscode.l10n;

const PUBLIC_REGISTRY = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

/** Builds what reads the registry, and installs, updates, rolls back and removes its agents. */
export function buildRegistry(options: RegistryOptions): RegistryParts {
  return new RegistryDialog(options);
}

class RegistryDialog implements RegistryParts {
  private readonly source: RegistrySource;
  private readonly store: AgentStore;
  /** Ids of agents that are being changed: a second change at once would take the first one's files away. */
  private readonly busy = new Set<string>();

  constructor(private readonly options: RegistryOptions) {
    const { folder, installed, environment, log, taken } = options;
    this.source = new RegistrySource({
      address: registryAddress,
      file: join(folder, 'registry.json'),
      now: Date.now,
    });
    const installer = new Installer({
      folder,
      environment,
      except: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
      unpack: unpackInThread(join(__dirname, 'unpackWorker.js')),
      onLine: log,
    });
    this.store = new AgentStore(installer, installed, taken);
  }

  async show(): Promise<void> {
    const choice = await pickFromRegistry(
      (anew, signal) => this.read(anew, signal),
      (error) => this.fail(error),
    );
    if (choice) await this.run(choice.action, choice.row);
  }

  async offerRollBack(name: string): Promise<void> {
    const agent = this.options.installed.list().find((one) => one.name === name);
    if (!agent?.previous || !needsProof(agent)) return;
    const { current, previous } = agent;
    const back = t('Go back to {0}', previous.version);
    const said = t(
      '{0} {1} could not be started. {2} worked before.',
      name,
      current.version,
      previous.version,
    );
    if ((await vscode.window.showWarningMessage(unlinked(said), back)) !== back) return;
    await this.exclusively(agent.id, () => this.goBack(agent.id));
  }

  private async read(anew: boolean, signal: AbortSignal): Promise<ShownList> {
    const registry = await this.source.read(anew, signal);
    const platform = platformKey(process.platform, process.arch);
    const rows = storeRows(registry, this.options.installed.list(), platform);
    return { rows, note: ageText(registry, Date.now()) };
  }

  private async run(action: RowAction, row: StoreRow): Promise<void> {
    if (action === 'open') return this.open(row.name);
    await this.exclusively(row.id, () => this.change(action, row));
  }

  private async change(action: Exclude<RowAction, 'open'>, row: StoreRow): Promise<void> {
    if (action === 'rollBack') return this.rollBack(row);
    if (action === 'remove') return this.remove(row);
    return this.install(row);
  }

  private async exclusively(id: string, work: () => Promise<void>): Promise<void> {
    if (this.busy.has(id)) {
      void vscode.window.showInformationMessage(t('This agent is being installed or changed already.'));
      return;
    }
    this.busy.add(id);
    try {
      await work();
    } catch (error) {
      this.fail(error);
    } finally {
      this.busy.delete(id);
    }
  }

  private async install({ offered, distribution, installed, name }: StoreRow): Promise<void> {
    if (!offered) return;
    if (!distribution) {
      void vscode.window.showWarningMessage(
        unlinked(
          t('The registry has no build of {0} for this platform. Its page may know another way.', name),
        ),
      );
      return;
    }
    const { version, license } = offered;
    const yes = installed ? t('Update') : t('Install');
    const question = installed
      ? t('Update {0} to {1}?', name, version)
      : t('Install {0} {1}?', name, version);
    const detail = consentText(distribution, license);
    if ((await vscode.window.showInformationMessage(question, { modal: true, detail }, yes)) !== yes) return;
    const title = t('Installing {0} {1}', name, version);
    const location = vscode.ProgressLocation.Notification;
    const picked = await vscode.window.withProgress(
      { location, title: unlinked(title), cancellable: true },
      async (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        let last = '';
        const onPhase = (phase: Phase): void => {
          const message = phaseText(phase);
          // Pieces of a download come by the thousand.
          if (message !== last) progress.report({ message });
          last = message;
        };
        return this.store.install(offered, distribution, { signal: stop.signal, onPhase });
      },
    );
    void this.tellInstalled(picked, version).catch((error: unknown) => this.fail(error));
  }

  private async tellInstalled(name: string, version: string): Promise<void> {
    const isUsed = this.openSessions(name) > 0;
    const next = isUsed ? t('Restart Agent') : t('Open a Session');
    const said = isUsed
      ? t(
          '{0} {1} is installed. Its open sessions go on with the version before until it is restarted.',
          name,
          version,
        )
      : t('{0} {1} is installed.', name, version);
    const answer = await vscode.window.showInformationMessage(unlinked(said), next);
    if (answer === next) await (isUsed ? this.options.sessions().restartAgents(name) : this.open(name));
  }

  private async rollBack({ id, name, installed }: StoreRow): Promise<void> {
    if (!installed?.previous) return;
    const { version } = installed.previous;
    const yes = t('Go Back');
    const detail = `${t('{0} is removed.', installed.current.version)}${this.usedText(name)}`;
    const question = t('Go back to {0} {1}?', name, version);
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
    await this.goBack(id);
  }

  private async goBack(id: string): Promise<void> {
    const done = this.store.rollBack(id);
    if (!done) return;
    await this.restartUsed(done.name);
    await this.tidy(done.tidy);
  }

  private async remove({ id, name }: StoreRow): Promise<void> {
    const yes = t('Remove');
    const question = t('Remove {0}?', name);
    const detail = `${t('Its files are deleted. Its transcripts and what it keeps elsewhere stay.')}${this.usedText(name)}`;
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
    const { tidy } = this.store.remove(id);
    await this.restartUsed(name);
    await this.tidy(tidy);
  }

  /** Sessions that use it are told by what the new start says: another version, or that there is no such agent. */
  private async restartUsed(name: string): Promise<void> {
    if (this.openSessions(name) > 0) await this.options.sessions().restartAgents(name);
  }

  private usedText(name: string): string {
    const count = this.openSessions(name);
    return count === 0 ? '' : ` ${t('It is stopped first; open sessions that use it: {0}.', count)}`;
  }

  /** The list is right by now; files that are left behind do no harm. */
  private async tidy(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.options.log(`files of an agent were left: ${String(error)}`));
  }

  private openSessions(name: string): number {
    const { rows } = this.options.sessions().list();
    return rows.filter(({ origin, agentId }) => origin === 'open' && agentId === name).length;
  }

  private async open(name: string): Promise<void> {
    await vscode.commands.executeCommand(Command.openChat);
    await this.options.sessions().create(name);
  }

  private fail(error: unknown): void {
    const said = failureSentence(error);
    if (said === undefined) return;
    this.options.log(said);
    const log = t('Show Log');
    const hasOutput = error instanceof InstallFailure && error.failure.reason.startsWith('tool');
    const shown = vscode.window.showErrorMessage(unlinked(said), ...(hasOutput ? [log] : []));
    void shown.then((answer) => {
      if (answer === log) this.options.showLog();
    });
  }
}

/** The public registry, or that of the settings. */
function registryAddress(): string {
  const own = vscode.workspace.getConfiguration().get(Setting.registryUrl);
  if (typeof own !== 'string' || own.trim() === '') return PUBLIC_REGISTRY;
  if (isFetchable(own.trim())) return own.trim();
  const message = t('parley.registry.url is not an https address');
  throw new InstallFailure({ reason: 'noRegistry', message });
}
