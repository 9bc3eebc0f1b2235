import { isFetchable } from '../../core/agents/registryDocument';

const MAX_REDIRECTS = 5;

/**
 * Fetches an address and follows its redirects: only to https, or within this machine where it began there.
 *
 * @throws an Error that says what is wrong with the address, or what the network says
 */
export async function openAddress(
  address: string,
  { headers = {}, signal }: { headers?: Record<string, string>; signal: AbortSignal },
): Promise<Response> {
  let next = address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const leavesHttps = address.startsWith('https:') && !next.startsWith('https:');
    if (!isFetchable(next) || leavesHttps) throw new Error(`${next} is not an https address`);
    const response = await fetch(next, { headers, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    next = new URL(location, next).href;
  }
  throw new Error(`${address} leads through more than ${MAX_REDIRECTS} redirects`);
}
