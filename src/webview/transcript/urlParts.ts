import type { UrlView } from '../../core/elicitation/url';

/** An address cut around its host, so that the host can be marked; joined, the parts are the whole address (EL-22). */
export function urlParts({ href, host }: UrlView): [before: string, host: string, after: string] {
  if (host === '') return [href, '', ''];
  const start = href.indexOf('//') + 2;
  const length = href.slice(start).search(/[/?#]/);
  const end = length < 0 ? href.length : start + length;
  // What is before an @ is no host, whatever it looks like.
  const at = Math.max(start, href.lastIndexOf('@', end - 1) + 1);
  return [href.slice(0, at), href.slice(at, at + host.length), href.slice(at + host.length)];
}
