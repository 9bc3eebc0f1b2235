import { BlockList, isIP } from 'node:net';

/** Addresses that are not of the internet: this machine, private and link-local networks, and those for special use. */
const LOCAL = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  LOCAL.addSubnet(network, prefix, 'ipv4');
  // What gateways hand on to the same address of IPv4: NAT64, its older forms, and 6to4.
  for (const before of ['64:ff9b::', '::ffff:0:', '::'])
    LOCAL.addSubnet(before + network, 96 + prefix, 'ipv6');
  const [a = 0, b = 0, c = 0, d = 0] = network.split('.').map(Number);
  LOCAL.addSubnet(`2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`, 16 + prefix, 'ipv6');
}
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  LOCAL.addSubnet(network, prefix, 'ipv6');
}

/** True for an IP address that is not of the internet, also one of IPv4 that is written as one of IPv6. */
export function isLocalAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOCAL.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** True for a host of a URL that is local by its name alone: nobody is asked for its address yet. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isLocalAddress(host);
  return !host.includes('.') || /\.(localhost|local|internal|lan|home\.arpa)$/i.test(host);
}
