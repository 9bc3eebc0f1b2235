import { isAbsolutePath } from '../files/containment';
import { variableOf } from './programPath';

type Variables = Readonly<Record<string, string | undefined>>;

/** How the shell of Windows runs a batch file: `line` must reach it as it is. */
export interface BatchStart {
  shell: string;
  line: string;
}

/** What cmd.exe acts on, some of it even within quotes, and again when the batch file hands its arguments on. */
const ACTED_ON = /[%!^&|<>"\r\n\0]/;
/** In a path only what quotes do not keep: folders such as `R&D` are common. */
const ACTED_ON_IN_QUOTES = /[%!"\r\n\0]/;
/** What arrives unchanged without quotes. */
const PLAIN = /^[\w@+./:\\-]+$/;

/** True for a file that Windows can start through its shell alone. */
export const isBatchFile = (file: string): boolean => /\.(cmd|bat)$/i.test(file);

/**
 * How to run a batch file, such as what npm makes of a program on Windows; or the first argument that would not arrive as it is,
 * since cmd.exe reads the line before the batch file does.
 */
export function batchStart(
  file: string,
  args: readonly string[],
  env: Variables,
): BatchStart | { refused: string } {
  if (ACTED_ON_IN_QUOTES.test(file)) return { refused: file };
  const refused = args.find((arg) => ACTED_ON.test(arg));
  if (refused !== undefined) return { refused };
  const words = [`"${file}"`, ...args.map(quoted)].join(' ');
  // /d runs nothing of the registry first, /s takes the outer quotes away and nothing else.
  return { shell: windowsShell(env), line: `/e:ON /v:OFF /d /s /c "${words}"` };
}

function quoted(arg: string): string {
  // A backslash before the closing quote would take it as a part of the argument.
  return PLAIN.test(arg) ? arg : `"${arg.replace(/\\+$/, '$&$&')}"`;
}

/** The path of cmd.exe; never its name alone, which Windows would look for in the working folder first. */
export function windowsShell(env: Variables): string {
  const named = variableOf(env, 'ComSpec', true) ?? '';
  if (isAbsolutePath(named, true)) return named;
  return `${variableOf(env, 'SystemRoot', true) ?? 'C:\\Windows'}\\System32\\cmd.exe`;
}
