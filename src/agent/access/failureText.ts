import { toErrorView } from '../../core/errors';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'The file or folder does not exist.',
  EISDIR: 'This is a folder, not a file.',
  ENOTDIR: 'This is not a folder.',
  EEXIST: 'The file exists already.',
  EACCES: 'Access is denied.',
  EPERM: 'Access is denied.',
};

/** One sentence for any error of a tool: its own, the client's, or the system's. */
export function failureText(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  const sentence = typeof code === 'string' ? SENTENCES[code] : undefined;
  return sentence ?? toErrorView(error).message;
}
