/** Why something of the registry did not work; sentences for it are in `registryTexts.ts`. */
export type FailureReason =
  | { reason: 'cancelled' }
  /** The registry can't be reached, and was never read before. */
  | { reason: 'noRegistry'; message: string }
  | { reason: 'download'; address: string; message: string }
  | { reason: 'tooLarge'; address: string; megabytes: number }
  | { reason: 'wrongHash'; address: string }
  | { reason: 'badArchive'; message: string }
  | { reason: 'noProgram'; program: string }
  | { reason: 'toolMissing'; tool: 'npm' | 'node' | 'uv' }
  | { reason: 'toolFailed'; tool: string; lastLine: string }
  | { reason: 'toolSlow'; tool: string; minutes: number }
  | { reason: 'storage'; message: string };

/** An expected failure of reading the registry, or of an install. */
export class InstallFailure extends Error {
  constructor(readonly failure: FailureReason) {
    super(failure.reason);
    this.name = 'InstallFailure';
  }
}

/** The message of anything that was thrown, with the cause that `fetch` hides behind "fetch failed". */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
