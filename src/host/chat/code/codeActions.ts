import { isAbsolute, resolve } from 'node:path';
import { applyCode } from '../../../core/highlight/applyCode';
import { fenceInfo, pathInCode } from '../../../core/highlight/fenceInfo';
import { isNamedInside, locate } from '../../files/boundary';

/** What a person can do with a code block of the chat. */
export interface CodeActions {
  /** Puts a text where the cursor of the editor is. */
  insert(text: string): Promise<void>;
  /** Puts a code block into a file that the person chooses, after they have seen what it does; `info`: what its fence says. */
  apply(text: string, info: string): Promise<void>;
}

/** A file that a code block may be for. */
export interface CodeTarget {
  path: string;
  /** `named`: by the fence or by the block's first line. `open`: in the active editor. */
  why: 'named' | 'open';
  /** Undefined where it was not looked for: outside of the folders nothing is before the person has chosen it. */
  exists: boolean | undefined;
  /** Outside of all folders of the session. */
  outside: boolean;
}

export interface CodeChange {
  path: string;
  /** Undefined for a new file. */
  before: string | undefined;
  after: string;
  outside: boolean;
}

/** The editor, as far as code blocks need it. */
export interface CodeEditor {
  /** The file of the editor that was last active; undefined where there is none. */
  activeFile(): string | undefined;
  /** @throws Error that tells the person what to do, where there is no cursor */
  insert(text: string): Promise<void>;
  /** The person's choice; undefined if they make none. `targets` may be empty: they can always choose another file. */
  choose(targets: readonly CodeTarget[]): Promise<string | undefined>;
  /** The text of a file as the editor has it; undefined where there is no file. */
  read(path: string): Promise<string | undefined>;
  /** Shows the change and asks; true only after a clear yes. */
  confirm(change: CodeChange): Promise<boolean>;
  /**
   * Makes the change as one step that can be undone.
   *
   * @throws Error where the file is not what it was when the change was shown
   */
  write(change: CodeChange): Promise<void>;
  /** Says that the file has the code already. */
  tellSame(path: string): void;
  /** Says that it is not clear where in the file the block belongs; true if it shall be put at the cursor. */
  offerInsert(path: string): Promise<boolean>;
}

/** Carries out what a person wants with a code block. Nothing is written that they have not seen and said yes to. */
export class CodeBlockActions implements CodeActions {
  /** @param roots the folders of the session, the first of which relative paths are in */
  constructor(
    private readonly editor: CodeEditor,
    private readonly roots: () => readonly string[],
  ) {}

  insert(text: string): Promise<void> {
    return this.editor.insert(text);
  }

  async apply(text: string, info: string): Promise<void> {
    const { editor } = this;
    const path = await editor.choose(await this.targets(text, info));
    if (path === undefined) return;
    const before = await editor.read(path);
    const after = applyCode(before, withoutItsPath(text, before));
    if (after === undefined) {
      if (await editor.offerInsert(path)) await editor.insert(text);
      return;
    }
    if (after === before) {
      editor.tellSame(path);
      return;
    }
    const change = { path, before, after, outside: await this.isOutside(path) };
    if (await editor.confirm(change)) await editor.write(change);
  }

  private async targets(text: string, info: string): Promise<CodeTarget[]> {
    const named = fenceInfo(info).path ?? pathInCode(text);
    const open = this.editor.activeFile();
    const [cwd] = this.roots();
    const paths = new Map<string, CodeTarget['why']>();
    if (open !== undefined) paths.set(open, 'open');
    if (named !== undefined && (cwd !== undefined || isAbsolute(named)))
      paths.set(resolve(cwd ?? '/', named), 'named');
    const targets = [...paths].map(([path, why]) => this.target(path, why));
    return (await Promise.all(targets)).sort((a, b) => a.why.localeCompare(b.why));
  }

  private async target(path: string, why: CodeTarget['why']): Promise<CodeTarget> {
    const isNamed = why === 'named';
    const outside = (isNamed && !(await isNamedInside(path, this.roots()))) || (await this.isOutside(path));
    if (isNamed && outside) return { path, why, exists: undefined, outside };
    const exists = (await this.editor.read(path).catch(() => undefined)) !== undefined;
    return { path, why, exists, outside };
  }

  private async isOutside(path: string): Promise<boolean> {
    return locate(path, this.roots()).then(
      () => false,
      () => true,
    );
  }
}

/** A first line that only says which file the block is for is no part of the file, unless the file has it. */
function withoutItsPath(text: string, current: string | undefined): string {
  const path = pathInCode(text);
  const [first = ''] = text.split('\n', 1);
  if (path === undefined || current?.split(/\r?\n/).includes(first)) return text;
  return text.slice(first.length + 1);
}
