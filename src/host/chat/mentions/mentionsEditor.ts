import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../../core/chat/attachment';
import { expandBraces } from '../../../core/chat/mentions';
import type { MentionItem, MentionSource, SymbolPlace, WorkspaceFile } from '../../../core/chat/mentions';
import { problemsText, type Problem } from '../../../core/chat/mentionsText';
import { asObject } from '../../../core/json';
import type { Git } from '../../review/git';
import { activeEditor, attachmentOf } from '../attach/attach';
import { gitChanges, hasGitChanges } from './mentionsGit';
import type { MentionEditor } from './mentions';
import { ignoredIn } from './mentionsIgnored';
import { documentSymbols, symbolLines, workspaceSymbols } from './mentionsSymbols';
import type { TerminalCommands } from './mentionsTerminal';

/** Most files that are listed in a workspace. */
const MAX_FILES = 50_000;

const EXCLUDES = ['files.exclude', 'search.exclude'];

/** Longest part of a command that is shown. */
const MAX_COMMAND = 80;

export interface VSCodeMentionsOptions {
  git: Git;
  terminal: TerminalCommands;
  /** Those of the shown session. */
  folders: () => readonly string[];
}

/** What mentions need, from VS Code. */
export class VSCodeMentions implements MentionEditor {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private watching: vscode.Disposable | undefined;

  constructor(private readonly options: VSCodeMentionsOptions) {}

  folders(): readonly string[] {
    return this.options.folders();
  }

  async list(): Promise<WorkspaceFile[]> {
    // Nobody needs to know of changes before the first list.
    this.watching ??= this.watch();
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const lists = await Promise.all(
      folders.map((folder) => this.filesOf(folder, folders.length > 1 ? folder.name : '')),
    );
    return lists.flat().slice(0, MAX_FILES);
  }

  private async filesOf(folder: vscode.WorkspaceFolder, label: string): Promise<WorkspaceFile[]> {
    const path = folder.uri.fsPath;
    const ignored = vscode.workspace.isTrusted ? await ignoredIn(this.options.git, path) : undefined;
    const all = new vscode.RelativePattern(folder, '**/*');
    const excludes = excludesOf(folder, ignored?.patterns ?? []);
    const found = await vscode.workspace.findFiles(all, excludes, MAX_FILES);
    const start = folder.uri.path.replace(/\/$/, '').length + 1;
    return found
      .map((uri) => ({ folder: path, label, path: uri.path.slice(start) }))
      .filter((file) => !ignored?.has(file.path));
  }

  open(): MentionItem[] {
    const front = activeEditor()?.document.uri;
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: list }) => list).map(({ input }) => input);
    const uris = [
      front,
      ...tabs.map((input) => (input instanceof vscode.TabInputText ? input.uri : undefined)),
    ];
    const files = new Map(
      uris.flatMap((uri) => (uri?.scheme === 'file' ? [[uri.fsPath, uri] as const] : [])),
    );
    return [...files].map(([path, uri]) => {
      const shown = vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
      const place = shown.slice(0, Math.max(0, shown.lastIndexOf('/')));
      return { kind: 'file', name: basename(path), place, path, open: true };
    });
  }

  sources(): MentionItem[] {
    const editor = activeEditor();
    const items: MentionItem[] = [];
    const selection = editor && attachmentOf(editor);
    if (selection?.kind === 'selection') {
      const place = `${selection.name}:${selection.fromLine}-${selection.toLine}`;
      items.push({ kind: 'selection', name: vscode.l10n.t('Selection'), place });
    }
    const all = problemsOf(undefined).length;
    const own = editor ? problemsOf(editor.document.uri).length : 0;
    if (all > 0) items.push({ kind: 'problems', name: vscode.l10n.t('Problems'), place: String(all) });
    if (editor && own > 0) {
      const name = vscode.l10n.t('Problems of {0}', basename(editor.document.uri.fsPath));
      items.push({ kind: 'fileProblems', name, place: String(own) });
    }
    const command = this.options.terminal.latest()?.command.trim().slice(0, MAX_COMMAND);
    if (command !== undefined)
      items.push({ kind: 'terminal', name: vscode.l10n.t('Terminal output'), place: command });
    if (hasGitChanges()) items.push({ kind: 'changes', name: vscode.l10n.t('Git changes'), place: '' });
    if (editor) items.push({ kind: 'symbols', name: vscode.l10n.t('Symbols'), place: '#' });
    return items;
  }

  async ownSymbols(): Promise<MentionItem[]> {
    const editor = activeEditor();
    return editor ? documentSymbols(editor.document.uri) : [];
  }

  symbols(query: string): Promise<MentionItem[]> {
    return workspaceSymbols(query);
  }

  async take(source: MentionSource | SymbolPlace): Promise<Attachment> {
    if (typeof source === 'object') return takeSymbol(source);
    const editor = activeEditor();
    switch (source) {
      case 'selection': {
        const selection = editor && attachmentOf(editor);
        if (selection?.kind === 'selection') return selection;
        throw new Error(vscode.l10n.t('Nothing is selected in the editor. Select the lines first.'));
      }
      case 'problems':
        return problems(vscode.l10n.t('Problems'), undefined);
      case 'fileProblems': {
        const uri = editor?.document.uri;
        return problems(vscode.l10n.t('Problems of {0}', basename(uri?.fsPath ?? '')), uri);
      }
      case 'terminal': {
        const text = this.options.terminal.text();
        if (text !== undefined) return { kind: 'text', name: vscode.l10n.t('Terminal output'), text };
        throw new Error(vscode.l10n.t('No command has run in a terminal here whose output is known.'));
      }
      case 'changes': {
        const text = await gitChanges(this.folders());
        if (text !== '') return { kind: 'text', name: vscode.l10n.t('Git changes'), text };
        throw new Error(vscode.l10n.t('Git has no changes here to attach.'));
      }
    }
  }

  dispose(): void {
    this.watching?.dispose();
    this.changed.dispose();
  }

  private watch(): vscode.Disposable {
    const fire = (): void => this.changed.fire();
    const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
    const rules = vscode.workspace.createFileSystemWatcher('**/.gitignore', true, false, true);
    return vscode.Disposable.from(
      watcher,
      rules,
      rules.onDidChange(fire),
      watcher.onDidCreate(fire),
      watcher.onDidDelete(fire),
      vscode.workspace.onDidChangeWorkspaceFolders(fire),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (EXCLUDES.some((setting) => event.affectsConfiguration(setting))) fire();
      }),
    );
  }
}

async function takeSymbol(symbol: SymbolPlace): Promise<Attachment> {
  try {
    return await symbolLines(symbol);
  } catch (error) {
    throw new Error(vscode.l10n.t("The file {0} can't be opened.", symbol.path), { cause: error });
  }
}

/** What the person leaves out of the explorer and of searches, and what else is to be left out, as one pattern. */
function excludesOf(folder: vscode.WorkspaceFolder, more: readonly string[]): string | undefined {
  const settings = vscode.workspace.getConfiguration(undefined, folder.uri);
  const excluded = EXCLUDES.flatMap((setting) =>
    Object.entries(asObject(settings.get(setting)))
      .filter(([, value]) => value === true)
      .flatMap(([pattern]) => expandBraces(pattern)),
  );
  const patterns = [...excluded, ...more];
  return patterns.length > 0 ? `{${[...new Set(patterns)].join(',')}}` : undefined;
}

const SEVERITIES: Partial<Record<vscode.DiagnosticSeverity, Problem['severity']>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
};

/** The problems of a file, or of all; hints are none, as in the list of problems. */
function problemsOf(only: vscode.Uri | undefined): Problem[] {
  const found: [vscode.Uri, readonly vscode.Diagnostic[]][] = only
    ? [[only, vscode.languages.getDiagnostics(only)]]
    : vscode.languages.getDiagnostics();
  return found.flatMap(([uri, diagnostics]) => {
    const path = vscode.workspace.asRelativePath(uri);
    return diagnostics.flatMap(({ severity: level, range, message, source }): Problem[] => {
      const severity = SEVERITIES[level];
      const [line, column] = [range.start.line + 1, range.start.character + 1];
      return severity ? [{ path, line, column, severity, message, ...(source ? { source } : {}) }] : [];
    });
  });
}

function problems(name: string, only: vscode.Uri | undefined): Attachment {
  const found = problemsOf(only);
  if (found.length > 0) return { kind: 'text', name, text: problemsText(found) };
  throw new Error(vscode.l10n.t('There are no problems to attach.'));
}
