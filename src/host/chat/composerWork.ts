import { join } from 'node:path';
import * as vscode from 'vscode';
import { withoutEditor } from '../../acp/loginEnvironment';
import type { Attachment } from '../../core/chat/attachment';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { MAX_DROPPED_IMAGES } from '../../core/chat/images';
import { Git } from '../review/git';
import { attachDropped } from './droppedFiles';
import { Mentions } from './mentions/mentions';
import { VSCodeMentions } from './mentions/mentionsEditor';
import type { TerminalCommands } from './mentions/mentionsTerminal';
import { OpenImages } from './openImage';

export interface ComposerWorkOptions {
  terminal: TerminalCommands;
  /** Those of the shown session. */
  folders: () => readonly string[];
  /** A folder of this workspace. */
  storage: string;
  log: (line: string) => void;
}

/** What composers ask for only when a person mentions, drops or opens something: it is in a file of its own, loaded by then. */
export class ComposerWork implements Disposable {
  private readonly scope = new DisposableStore();
  readonly mentions: Mentions;
  private readonly images: OpenImages;

  constructor({ terminal, folders, storage, log }: ComposerWorkOptions) {
    // A folder without a repository is no failure.
    const git = new Git(
      () => Promise.resolve(withoutEditor(process.env)),
      (line) => /not a git repository/i.test(line) || log(line),
    );
    const editor = this.scope.add(new VSCodeMentions({ git, terminal, folders }));
    this.mentions = this.scope.add(new Mentions(editor));
    this.images = this.scope.add(openImages(join(storage, 'shownImages')));
  }

  /** Makes attachments of dropped files; `images`: pictures as such. `problem`: a sentence about what can't be attached. */
  async takeDropped(
    uris: readonly string[],
    images: boolean,
  ): Promise<{ attachments: Attachment[]; problem: string | undefined }> {
    const { attachments, missing, unread } = await attachDropped(uris, images);
    const names = missing.map((uri) => vscode.Uri.parse(uri).path).join(', ');
    const problems = [
      ...(missing.length > 0
        ? [vscode.l10n.t('Not found on the machine where the agent runs: {0}', names)]
        : []),
      ...(unread > 0
        ? [
            vscode.l10n.t(
              'Attached by path, not as images: {0}. One drop takes at most {1} images of 100 MB together.',
              unread,
              MAX_DROPPED_IMAGES,
            ),
          ]
        : []),
    ];
    return { attachments, problem: problems.length > 0 ? problems.join('\n') : undefined };
  }

  /** Shows an image (base64) in an editor. */
  openImage(data: string): Promise<void> {
    return this.images.open(data);
  }

  dispose(): void {
    this.scope.dispose();
  }
}

function openImages(folder: string): OpenImages {
  const { tabGroups } = vscode.window;
  const pathsOf = ({ input }: vscode.Tab): string[] =>
    input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? [input.uri.fsPath] : [];
  return new OpenImages({
    folder,
    editors: {
      open: async (path) => vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path)),
      shown: () => tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(pathsOf)),
      onDidClose: (listener) =>
        tabGroups.onDidChangeTabs(({ closed }) => {
          if (closed.length > 0) listener();
        }),
    },
    notAnImage: () => vscode.l10n.t('This image can’t be shown.'),
  });
}
