import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { atomicWrite, PRIVATE } from './atomicWrite';

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

/**
 * A file of lines that is only appended to, through one open handle. After an error the next append goes on with the very byte that
 * was not written. Not to be used by two callers at once.
 */
export class LogFile {
  private handle: FileHandle | undefined;
  private rest: Buffer = NOTHING;
  /** Bytes that the file has as far as we know; undefined until it is opened the first time. */
  private known: number | undefined;

  /** `begin` opens a new file, `goOn` what is appended to one that is there; both end with a line end. */
  constructor(
    readonly path: string,
    private readonly texts: { begin: string; goOn: string },
  ) {}

  /** Bytes of the file. */
  get size(): number {
    return this.known ?? 0;
  }

  /** Bytes that wait because of an error. */
  get waiting(): number {
    return this.rest.length;
  }

  /**
   * Appends text. False where the file is not the one that was written so far (removed, or replaced by another window): then it is for
   * `replace`. Throws what the file system throws; the text is then kept for the next time.
   */
  async append(text: string): Promise<boolean> {
    this.rest = Buffer.concat([this.rest, Buffer.from(text)]);
    if (this.rest.length === 0) return true;
    try {
      const handle = await this.opened();
      if (handle) await this.writeRest(handle);
      else this.rest = NOTHING;
      return handle !== undefined;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Puts a text in the place of everything, also of what waits. Throws what the file system throws; nothing is lost then. */
  async replace(text: string): Promise<void> {
    // Windows renames no file over an open one.
    await atomicWrite(this.path, text, () => this.close());
    this.rest = NOTHING;
    this.known = Buffer.byteLength(text);
  }

  /** Lets go of the file; it is opened again when it is needed. */
  async close(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    await handle?.close().catch(() => undefined);
  }

  private async opened(): Promise<FileHandle | undefined> {
    if (this.handle) {
      if ((await this.handle.stat()).nlink > 0) return this.handle;
      await this.close();
      return undefined;
    }
    await mkdir(dirname(this.path), { recursive: true });
    const handle = await open(this.path, 'a+', PRIVATE);
    this.handle = handle;
    const { size } = await handle.stat();
    if (this.known !== undefined && this.known !== size) {
      await this.close();
      return undefined;
    }
    if (this.known === undefined) await this.meet(handle, size);
    return handle;
  }

  /** Sees the file for the first time: a line that was torn by a crash must not swallow ours. */
  private async meet(handle: FileHandle, size: number): Promise<void> {
    let first = this.texts.begin;
    if (size > 0) {
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
      first = buffer[0] === NEWLINE ? this.texts.goOn : `\n${this.texts.goOn}`;
    }
    this.rest = Buffer.concat([Buffer.from(first), this.rest]);
    this.known = size;
  }

  private async writeRest(handle: FileHandle): Promise<void> {
    while (this.rest.length > 0) {
      const { bytesWritten } = await handle.write(this.rest);
      this.rest = this.rest.subarray(bytesWritten);
      this.known = this.size + bytesWritten;
    }
  }
}
