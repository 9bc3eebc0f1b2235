import type { HighlightAnswer, HighlightRequest } from '../highlight/messages';
import type { RuleScope } from '../permission/rules';
import type { ChangeScope } from '../review/changes';
import type { SessionAction } from '../session/actions';
import type { ElicitationAction, SessionState } from '../session/state';
import type { Attachment } from './attachment';
import type { MentionItem, MentionSource, SymbolPlace } from './mentions';
import type { SessionList } from './sessionRow';
import type { ModelSource, StartView } from './start';

/** Changes with every build whose two halves must not be mixed. */
export const PROTOCOL_ID = 'parley-6';

/** The key that sends what is in the composer; with `ctrlEnter`, Enter alone begins a new line. */
export type SendKey = 'enter' | 'ctrlEnter';

/** What the composer holds. */
export interface Draft {
  text: string;
  attachments: Attachment[];
}

/** What the extension tells the page. */
export type HostToPage =
  /** `key` tells which session it is; `draft` is what its composer last held, since a page can go away at any time. */
  | { type: 'snapshot'; seq: number; key: string; state: SessionState; draft: Draft }
  /** `seq` is the number of the first action. */
  | { type: 'actions'; seq: number; actions: SessionAction[] }
  | { type: 'sessions'; list: SessionList }
  /** To be added to the draft. */
  | { type: 'attach'; attachments: Attachment[] }
  | { type: 'showSessions' }
  /** The page is in sight again; one that was kept meanwhile asks for a snapshot. */
  | { type: 'shown' }
  /** Answers `lookAround`, and comes again when it has changed. */
  | { type: 'start'; view: StartView }
  /** Answers `findMentions`, maybe several times; `done` with the last. */
  | { type: 'mentions'; id: number; items: MentionItem[]; done: boolean }
  | HighlightAnswer
  /** The colours of code are others now: what is on screen must be asked for anew. */
  | { type: 'themeChanged' }
  /** Which key sends; `enter` before the first. */
  | { type: 'sendOn'; key: SendKey }
  /** Brings a waiting question on screen and puts the focus beside its answers. */
  | { type: 'revealQuestion'; requestId: string }
  /** The page answers `painted` with the id when all that came before is on screen. */
  | { type: 'paint'; id: number }
  /** Answers `readPicture`: a data URI, or null where there is no picture to show. */
  | { type: 'picture'; key: string; path: string; data: string | null }
  | { type: 'reply'; id: number; error: string | null }
  | { type: 'focusComposer' };

/** What a person wants, as the page tells the extension; each gets a reply, and has a row in intentGuards.ts. */
export type Intent =
  /** Goes into the queue while a turn runs. */
  | { type: 'prompt'; text: string; attachments: Attachment[] }
  | { type: 'queueRemove'; id: string }
  | { type: 'queueEdit'; id: string; text: string }
  /** `to` is the new index, 0-based. */
  | { type: 'queueMove'; id: string; to: number }
  /** Cancels the turn and sends this one next. */
  | { type: 'queueSendNow'; id: string }
  | { type: 'queueResume' }
  | { type: 'cancelTurn' }
  | { type: 'forceStop' }
  /** `reason`: with an option that rejects; becomes the next prompt. `keepAs`: saves the offered rules for that scope. */
  | { type: 'answerPermission'; requestId: string; optionId: string; reason?: string; keepAs?: RuleScope }
  | { type: 'allowFolder'; folder: string }
  | { type: 'openRules' }
  /** Opens the diff of one file, or of all. */
  | { type: 'openChanges'; scope: ChangeScope; path?: string }
  | { type: 'keepChanges'; scope: ChangeScope; path?: string }
  /** Shows first what it will do. */
  | { type: 'revertChanges'; scope: ChangeScope; path?: string }
  /** Shows first what it will do. */
  | { type: 'undoTurn' }
  | { type: 'redoTurn' }
  /** `content`: the values of the form by field, only with `accept`. For a page to open, `accept` opens it. */
  | {
      type: 'answerElicitation';
      requestId: string;
      action: ElicitationAction;
      content?: Record<string, string | number | boolean | string[]>;
    }
  | { type: 'setConfig'; id: string; value: string | boolean }
  | { type: 'selectAgent'; id: string | null }
  | { type: 'newSession' }
  /** A known agent that was found; it is added to the settings where they do not have it. */
  | { type: 'useAgent'; id: string }
  | { type: 'addAgent' }
  | { type: 'setUpModel' }
  /** A model that was offered. */
  | { type: 'useModel'; from: ModelSource }
  | { type: 'openFolder' }
  | { type: 'manageTrust' }
  | { type: 'openWalkthrough' }
  | { type: 'listSessions' }
  | { type: 'showSession'; key: string }
  | { type: 'closeSession'; key: string }
  | { type: 'deleteSession'; key: string }
  | { type: 'restartAgent' }
  | { type: 'authenticate'; methodId: string }
  | { type: 'logout' }
  | { type: 'stopTerminal'; terminalId: string }
  | { type: 'openTerminal'; terminalId: string }
  | { type: 'openFile'; path: string; line?: number }
  /** Shows a text of the page that stands in no file; `language` as the editor calls it. */
  | { type: 'openText'; text: string; language?: string }
  /** Shows an image of the page (base64) in an editor. */
  | { type: 'openImage'; data: string }
  /** Puts a text where the cursor of the editor is. */
  | { type: 'insertCode'; text: string }
  /** Puts a code block into a file that the person chooses; shows first what it will do. `info`: what its fence says. */
  | { type: 'applyCode'; text: string; info: string }
  | { type: 'openDiff'; ref: string }
  | { type: 'openLink'; href: string }
  | { type: 'copy'; text: string }
  | { type: 'showLog' }
  | { type: 'diagnose' }
  | { type: 'openSettings' }
  | { type: 'dismissBanner' };

/** What the page tells the extension; each has a row in pageMessages.ts. */
export type PageToHost =
  | { type: 'ready'; protocol: string }
  | { type: 'resync' }
  /** The person has turned to the page; a view has no event for that. */
  | { type: 'focused' }
  /** Something of the page failed; goes to the log. */
  | { type: 'failed'; report: string }
  | { type: 'draft'; key: string; draft: Draft }
  /** Of the draft only the text has changed. */
  | { type: 'draftText'; key: string; text: string }
  | { type: 'painted'; id: number }
  /** Asks for a picture in a file that a message of the session names. */
  | { type: 'readPicture'; key: string; path: string }
  | { type: 'findMentions'; id: number; query: string }
  /** Asks for what the start of a conversation tells; `anew` looks for agents that have been installed since. */
  | { type: 'lookAround'; anew: boolean }
  /** The start of the built-in agent is shown: asks for models that it could use, told by `start`. */
  | { type: 'lookForModels' }
  /** Attaches to the draft of the session; gets a reply like an intent. */
  | { type: 'takeMention'; id: number; key: string; source: MentionSource | SymbolPlace }
  /** Attaches the files of a drop to the draft of the session; gets a reply like an intent. */
  | { type: 'takeDropped'; id: number; key: string; uris: string[] }
  | HighlightRequest
  | { type: 'intent'; id: number; intent: Intent };
