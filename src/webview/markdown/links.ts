/** What a click on a link of a message does. */
export type LinkTarget = { kind: 'link'; href: string } | { kind: 'file'; path: string; line?: number };

const PATH_AND_LINE = /^(.+?)(?::(\d+)(?::\d+)?(?:-\d+)?|#L(\d+)(?:-L?\d+)?)$/;

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path; // A stray percent sign: the path is taken as it is.
  }
}

function fileTarget(path: string): LinkTarget | undefined {
  const match = PATH_AND_LINE.exec(path);
  const line = match?.[2] ?? match?.[3];
  const bare = decoded(match?.[1] ?? path).replace(/[?#].*$/, '');
  // On Windows two slashes begin the name of another machine, which would be asked for the file.
  if (bare === '' || /^[\\/]{2}/.test(bare)) return undefined;
  return { kind: 'file', path: bare, ...(line === undefined ? {} : { line: Number(line) }) };
}

/** Decides what a link of an agent may open; undefined for every target that is shown as plain text. */
export function linkTarget(href: string): LinkTarget | undefined {
  if (/^(https?:\/\/|mailto:)./i.test(href)) return { kind: 'link', href };
  const file = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(href)?.[1];
  if (file !== undefined) return fileTarget(file.replace(/^\/(?=[a-z]:)/i, ''));
  if (href.startsWith('#')) return undefined;
  const isPathWithLine = /^[^:]*[./\\][^:]*:\d+(:\d+)?(-\d+)?$/.test(href);
  const isDrivePath = /^[a-z]:[\\/]/i.test(href);
  if (!isPathWithLine && !isDrivePath && /^[a-z][a-z0-9+.-]*:/i.test(href)) return undefined;
  return fileTarget(href);
}

/** True for pictures that are part of the message itself and so load nothing. */
export function isInlineImage(source: string): boolean {
  return /^data:image\/(png|jpeg|gif|webp);base64,/i.test(source);
}
