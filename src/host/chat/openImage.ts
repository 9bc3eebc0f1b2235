import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageExtension, MAX_IMAGE_FILE, sniffImage } from '../../core/chat/images';
import type { Event } from '../../core/emitter';
import type { Disposable } from '../../core/lifecycle';

/** What showing an image needs of the editor. */
export interface ImageEditors {
  open: (path: string) => Promise<void>;
  /** Paths of what is open in editors. */
  shown: () => readonly string[];
  /** Editors were closed. */
  onDidClose: Event<void>;
}

export interface OpenImagesOptions {
  /** Made when first needed; nothing else may be kept in it. */
  folder: string;
  editors: ImageEditors;
  /** What the person is told of what is no image. */
  notAnImage: () => string;
}

/** Shows images that are in no file: each is written into a file that is deleted when its editor is closed. */
export class OpenImages implements Disposable {
  private watching: Disposable | undefined;
  private readonly opening = new Set<string>();

  constructor(private readonly options: OpenImagesOptions) {}

  /** Rejects with a sentence for the person where the base64 is that of no image. */
  async open(data: string): Promise<void> {
    const { folder, editors, notAnImage } = this.options;
    const bytes = Buffer.from(data, 'base64');
    const type = bytes.length <= MAX_IMAGE_FILE ? sniffImage(bytes) : undefined;
    if (!type) throw new Error(notAnImage());
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const name = `image-${hash}.${imageExtension(type)}`;
    const path = join(folder, name);
    this.opening.add(name);
    try {
      this.watching ??= editors.onDidClose(() => void this.tidy());
      await mkdir(folder, { recursive: true });
      await this.tidy();
      await writeFile(path, bytes, { mode: 0o600 });
      await editors.open(path);
    } finally {
      this.opening.delete(name);
    }
  }

  dispose(): void {
    this.watching?.dispose();
  }

  /** Deletes what is shown no more, also what an earlier window left. */
  private async tidy(): Promise<void> {
    const { folder, editors } = this.options;
    const names = await readdir(folder).catch((): string[] => []);
    const shown = new Set(editors.shown());
    const over = names.filter((name) => !this.opening.has(name) && !shown.has(join(folder, name)));
    // One that can't be deleted now is tried again the next time.
    await Promise.all(over.map((name) => rm(join(folder, name), { force: true }).catch(() => undefined)));
  }
}
