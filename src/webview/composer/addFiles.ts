import type { Attachment } from '../../core/chat/attachment';
import { MAX_CONTEXT } from '../../core/chat/mentionsText';
import type { PageString } from '../../core/chat/strings';
import { visibleText } from '../../core/visibleText';
import { withAttachments } from '../attachments';
import type { Page } from '../page';
import { fitImage } from './fitImage';

/** Most bytes of a file that is read as text: a character has up to four. */
const MAX_TEXT_FILE = 4 * MAX_CONTEXT;

/** Most files of one paste or drop. */
const MAX_FILES = 20;

const IMAGE_PROBLEMS = {
  noImage: 'fileNotText',
  tooLarge: 'imageTooLarge',
  unreadable: 'imageUnreadable',
} as const satisfies Record<string, PageString>;

/** What became of a file: an attachment, or a sentence about why there is none. */
type Outcome = { attachment: Attachment } | { problem: string };

/** The files of a clipboard; none where it has text as well, since then the text is meant. */
function filesIn(clipboard: DataTransfer | null): File[] {
  if (!clipboard || clipboard.types.includes('text/plain')) return [];
  return [...clipboard.files];
}

/** Attaches the files of a paste; true if the paste is dealt with. */
export function pasteFiles(page: Page, event: ClipboardEvent): boolean {
  const files = filesIn(event.clipboardData);
  if (files.length > 0) void addFiles(page, files);
  return files.length > 0;
}

/**
 * Attaches files that are known by their content alone: images where the agent takes them (PT-3), and texts. What can't be attached is
 * told above the composer.
 */
export async function addFiles(page: Page, files: readonly File[]): Promise<void> {
  const key = page.key.peek();
  page.problem.value = null;
  const outcomes: Outcome[] = [];
  // One by one: images take much memory while they are made to fit.
  for (const file of files.slice(0, MAX_FILES)) outcomes.push(await outcomeOf(page, file));
  // The person may have turned to another session meanwhile, which the files were not for.
  if (page.key.peek() !== key) return;
  const attachments = outcomes.flatMap((outcome) => ('attachment' in outcome ? [outcome.attachment] : []));
  const problems = outcomes.flatMap((outcome) => ('problem' in outcome ? [outcome.problem] : []));
  if (attachments.length > 0) page.setAttachments(withAttachments(page.attachments.peek(), attachments));
  if (files.length > MAX_FILES) problems.push(leftOut(page, files.length - MAX_FILES, MAX_FILES));
  if (problems.length > 0) page.problem.value = [...new Set(problems)].join(' ');
}

/** Says how many files of a paste or drop were not attached. */
export function leftOut({ t }: Page, count: number, most: number): string {
  return t('filesLeftOut', count, most);
}

/** Attaches what the extension found; images that it read are made to fit first. */
export async function addFound(page: Page, found: readonly Attachment[]): Promise<void> {
  const ready = found.filter(({ kind }) => kind !== 'image');
  if (ready.length > 0) page.setAttachments(withAttachments(page.attachments.peek(), ready));
  const images = found.flatMap((item) => (item.kind === 'image' ? [fileOf(item)] : []));
  if (images.length > 0) await addFiles(page, images);
}

function fileOf({ name, mimeType, data }: Attachment & { kind: 'image' }): File {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new File([bytes], name, { type: mimeType });
}

async function outcomeOf(page: Page, file: File): Promise<Outcome> {
  const { t, store } = page;
  const name = file.name || t('image');
  const fitted = await fitImage(file);
  if (fitted === 'noImage') return textOf(page, file);
  if (!store.state.abilities.image)
    return { problem: t('imageNotTaken', visibleText(store.state.agent.title)) };
  if (typeof fitted === 'string') return { problem: t(IMAGE_PROBLEMS[fitted], visibleText(name)) };
  return { attachment: { kind: 'image', name, ...fitted } };
}

async function textOf({ t }: Page, file: File): Promise<Outcome> {
  const problem = t('fileNotText', visibleText(file.name));
  if (file.size > MAX_TEXT_FILE) return { problem };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (text.length > MAX_CONTEXT || text.includes('\0')) return { problem };
    return { attachment: { kind: 'text', name: file.name, text } };
  } catch {
    return { problem }; // No text, or a folder.
  }
}
