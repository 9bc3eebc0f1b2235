import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import type { ChangeScope } from '../../core/review/changes';
import type { Content } from '../../core/review/plan';
import { isBinary } from '../../core/review/units';
import type { PlannedFile } from './reviewPorts';
import { resultOf } from '../../core/review/plan';

/** Scheme of the texts that a review compares with; they have the path of their file, so that its language is known. */
export const REVIEW_SCHEME = 'parley-review';

type BaseOf = (key: string, scope: ChangeScope, path: string) => Promise<Content>;

/** Both sides of a file in a preview. */
export interface PreviewPair {
  path: string;
  old: vscode.Uri;
  now: vscode.Uri;
}

/** A preview whose texts are there until it is disposed. */
export interface Preview extends Disposable {
  pairs: PreviewPair[];
}

/** Gives the earlier texts of files and the texts of previews as documents that can't be edited. */
export class ReviewDocuments implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly previews = new Map<string, readonly PlannedFile[]>();
  private next = 1;

  constructor(private readonly baseOf: BaseOf) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(REVIEW_SCHEME, this),
      this.changed,
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const path = pathOf(uri);
    const preview = query.get('preview');
    if (preview !== null) return decode(this.previewed(preview, path, query.get('side') === 'old'), path);
    const key = query.get('key');
    if (key === null) return '';
    const scope = query.get('scope') === 'turn' ? 'turn' : 'session';
    return decode(await this.baseOf(key, scope, path), path);
  }

  /** All open documents of earlier texts are read anew. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (isReview(uri) && new URLSearchParams(uri.query).has('key')) this.changed.fire(uri);
  }

  /** Makes documents of what plans would change; files that are no text have none. */
  preview(files: readonly PlannedFile[]): Preview {
    const id = String(this.next++);
    const texts = files.filter(({ current, plan }) => {
      const result = resultOf(plan);
      return result !== undefined && !(current && isBinary(current)) && !(result && isBinary(result));
    });
    this.previews.set(id, texts);
    const side = (path: string, name: string): vscode.Uri => reviewUri(path, { preview: id, side: name });
    const pairs = texts.map(({ path }) => ({ path, old: side(path, 'old'), now: side(path, 'new') }));
    return { pairs, dispose: () => void this.previews.delete(id) };
  }

  private previewed(id: string, path: string, old: boolean): Content {
    const file = this.previews.get(id)?.find((item) => item.path === path);
    return old ? file?.current : file && resultOf(file.plan);
  }
}

/** The document of a file's earlier text. */
export function baseUri(key: string, scope: ChangeScope, path: string): vscode.Uri {
  return reviewUri(path, { key, scope });
}

/** An empty document, for the side of a diff on which there is no file. */
export function emptyUri(path: string): vscode.Uri {
  return reviewUri(path, { side: 'none' });
}

export const isReview = ({ scheme }: vscode.Uri): boolean => scheme === REVIEW_SCHEME;

/** The session of an earlier text; undefined for other documents. */
export function keyOf(uri: vscode.Uri): string | undefined {
  return isReview(uri) ? (new URLSearchParams(uri.query).get('key') ?? undefined) : undefined;
}

/** The path of the file that a document is or belongs to. */
export function pathOf(uri: vscode.Uri): string {
  return vscode.Uri.file(uri.path).fsPath;
}

function reviewUri(path: string, query: Record<string, string>): vscode.Uri {
  return vscode.Uri.from({
    scheme: REVIEW_SCHEME,
    path: vscode.Uri.file(path).path,
    query: new URLSearchParams(query).toString(),
  });
}

/** The text of a version as the editor would show the file. */
async function decode(content: Content, path: string): Promise<string> {
  if (!content || isBinary(content)) return '';
  const uri = vscode.Uri.file(path);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open
    ? vscode.workspace.decode(content, { encoding: open.encoding })
    : vscode.workspace.decode(content, { uri });
}
