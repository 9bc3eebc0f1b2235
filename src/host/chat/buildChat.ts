import * as vscode from 'vscode';
import type { Intent } from '../../core/chat/protocol';
import type { Base } from '../base';
import { PanelType, View } from '../contributions';
import { buildHighlighter } from '../highlight/buildHighlighter';
import { VIEW } from '../session/pages';
import type { Sessions } from '../session/sessions';
import { ChatViewProvider } from './chatViewProvider';
import { readPicture } from './images';
import { onceRestored, sessionsOf } from './pages';
import type { StoredDrafts } from './storedDrafts';
import { WebviewChannel, type ComposerPort, type StartPort } from './webviewChannel';

export interface ChatParts {
  base: Base;
  sessions: Sessions;
  drafts: StoredDrafts;
  composer: ComposerPort;
  start: StartPort;
  /** Does what the person wants in the session that they are with. */
  perform: (intent: Intent) => Promise<void>;
  /** Forgets what belongs to no session any more. */
  prune: (keys: string[]) => Promise<void>;
}

/** The view and the tabs of the chat, which VS Code shows from now on. */
export function buildChat(parts: ChatParts): ChatViewProvider {
  const { base, sessions, drafts, composer, start, perform } = parts;
  const { scope, context } = base;
  const log = (line: string): void => base.log.main.info(line);
  const code = buildHighlighter(scope, context.extensionPath, log);
  const openChannel = (
    id: string,
    page: vscode.Webview,
    accept: (protocol: string) => boolean,
  ): WebviewChannel =>
    new WebviewChannel({
      page,
      sessions: onceRestored(sessionsOf(sessions, id), sessions.restore()),
      drafts,
      composer,
      code,
      start,
      perform: async (intent) => {
        await sessions.restore();
        // Nothing is done in the session of another page.
        if (!sessions.activate(id))
          throw new Error(vscode.l10n.t('The session is still being opened. Try again in a moment.'));
        await perform(intent);
      },
      accept,
      focused: () => sessions.activate(id),
      readPicture: (key, path) => {
        const session = base.find(key);
        const { cwd = null } = session?.store.state ?? {};
        return readPicture(path, {
          cwd,
          roots: session?.controller.live?.roots ?? (cwd === null ? [] : [cwd]),
        });
      },
      refusal: () => vscode.l10n.t('This is not possible here. Reload the window and try again.'),
      log,
    });
  const begin = async (): Promise<void> => {
    await sessions.restore();
    if (chat.tabsAreKnown) await parts.prune(sessions.list().rows.map(({ key }) => key));
    await sessions.shownIn(VIEW)?.controller.ensureConnected(false);
  };
  const chat = scope.add(
    new ChatViewProvider({
      extensionUri: context.extensionUri,
      sessions,
      openChannel,
      onShown: () => void begin(),
      isUnwritten: (key) => {
        const { text, attachments } = drafts.get(key);
        return text.trim() === '' && attachments.length === 0;
      },
      showLog: () => base.log.show(sessions.state.agent.id),
      log,
    }),
  );
  scope.add(vscode.window.registerWebviewViewProvider(View.chat, chat));
  scope.add(vscode.window.registerWebviewPanelSerializer(PanelType.chat, chat));
  return chat;
}
