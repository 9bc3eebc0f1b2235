import { homedir } from 'node:os';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { TrafficEntry } from '../../core/traffic/entry';
import type { TrafficRecorder } from '../../core/traffic/recorder';
import { writeReport, type ReportSource } from '../../core/traffic/report';

export interface BugReportParts {
  recorder: Pick<TrafficRecorder, 'ring'>;
  isEnabled(): boolean;
  /** Turns the setting on. */
  enable(): Promise<void>;
  /** Of Parley. */
  version: string;
}

const { t } = vscode.l10n;

/** Saves what was recorded of an agent as a file that a person looks through and sends by themselves; nothing is sent from here. */
export class BugReport {
  constructor(private readonly parts: BugReportParts) {}

  /**
   * Asks what the report should hold and where it should be kept; then opens it.
   *
   * @param shown agent that the person looks at: the one that is meant where several were recorded.
   * @throws a sentence for the person.
   */
  async save(shown: string): Promise<void> {
    const all = this.parts.recorder.ring.all();
    if (all.length === 0) return this.nothing();
    const agent = await chooseAgent(all, shown);
    const texts = agent === undefined ? undefined : await chooseTexts();
    if (agent === undefined || texts === undefined) return;
    const target = await chooseTarget(agent);
    if (!target) return;
    const entries = all.filter((entry) => entry.agent === agent);
    await write(target, writeReport(entries, this.source(), texts));
    await vscode.window.showTextDocument(target);
    void vscode.window.showInformationMessage(
      t(
        'The report is saved in {0}, and was sent nowhere. Look through it before you give it to anyone.',
        basename(target.fsPath),
      ),
    );
  }

  private async nothing(): Promise<void> {
    if (this.parts.isEnabled()) {
      void vscode.window.showInformationMessage(
        t('Nothing was recorded yet. Do again what went wrong, then save the report.'),
      );
      return;
    }
    const turnOn = t('Turn On Recording');
    const chosen = await vscode.window.showInformationMessage(
      t(
        'Recording was off, so there is nothing to save. Turn it on, do again what went wrong, then save the report.',
      ),
      turnOn,
    );
    if (chosen !== turnOn) return;
    await this.parts.enable();
    void vscode.window.showInformationMessage(
      t('Recording is on. Do again what went wrong, then save the report.'),
    );
  }

  private source(): ReportSource {
    return {
      parley: this.parts.version,
      vscode: vscode.version,
      platform: `${process.platform} ${process.arch}`,
    };
  }
}

async function chooseAgent(all: readonly TrafficEntry[], shown: string): Promise<string | undefined> {
  const agents = [...new Set(all.map(({ agent }) => agent))];
  if (agents.length < 2) return agents[0];
  const first = agents.filter((agent) => agent === shown);
  const others = agents.filter((agent) => agent !== shown);
  return vscode.window.showQuickPick([...first, ...others], {
    title: t('Which agent is the report about?'),
  });
}

/** Says what will be in the file before there is one. */
async function chooseTexts(): Promise<boolean | undefined> {
  const kinds = [
    {
      label: t('With texts'),
      detail: t(
        'Prompts, answers, commands, file contents and output are in the report. Only what looks like a key, and your home folder, are masked.',
      ),
      texts: true,
    },
    {
      label: t('Without texts'),
      detail: t(
        'They are replaced by x of the same length. Error messages and the names of methods, tools and options stay.',
      ),
      texts: false,
    },
  ];
  const chosen = await vscode.window.showQuickPick(kinds, {
    title: t('What should the report hold?'),
    placeHolder: t('It is kept on this machine alone, and opened for you to look through.'),
  });
  return chosen?.texts;
}

async function chooseTarget(agent: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const name = agent.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
  return vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `parley-report-${name}.ndjson`),
    filters: { NDJSON: ['ndjson'] },
  });
}

async function write(target: vscode.Uri, text: string): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(t('The report can’t be saved there: {0}', why), { cause: error });
  }
}
