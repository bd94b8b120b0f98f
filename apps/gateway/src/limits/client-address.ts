import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** IPv4 written as IPv6, as a socket that listens on both has it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** True for nearly every address: the patterns below, and those of Node, cost more than what they are read for. */
const isPlainIPv4 = (address: string): boolean => !address.includes(':') && !address.includes('%');

const plain = (address: string): string =>
  isPlainIPv4(address) ? address : (MAPPED.exec(address)?.[1] ?? address.replace(/%.*$/, ''));

/** The four groups of an IPv6 address that identify its network: one client commonly owns all addresses below them. */
function network(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...rest];
  return `${all
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}

/** The client address of a request: `X-Forwarded-For` is trusted only as far as trusted proxies have written it. */
export class ClientAddresses {
  private readonly trusted: BlockList | null;

  constructor(proxies: readonly string[]) {
    this.trusted = proxies.length > 0 ? listOf(proxies) : null;
  }

  /** True for the address of a trusted proxy, whose connections carry requests of many clients. */
  isProxy(address: string | undefined): boolean {
    if (!this.trusted || !address) return false;
    const text = plain(address);
    return isIP(text) !== 0 && this.trusted.check(text, isIPv6(text) ? 'ipv6' : 'ipv4');
  }

  /** The address that limits count a request under; an IPv6 client counts as its /64 network. */
  of({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    let address = plain(socket.remoteAddress ?? '');
    const forwarded = this.trusted ? headers['x-forwarded-for'] : undefined;
    if (forwarded !== undefined) {
      const hops = String(forwarded).split(',');
      // From the right: each proxy appends the address of its client.
      for (let at = hops.length - 1; at >= 0 && this.isProxy(address); at--) {
        const hop = plain((hops[at] ?? '').trim());
        if (isIP(hop) === 0) break;
        address = hop;
      }
    }
    return !isPlainIPv4(address) && isIPv6(address) ? network(address) : address;
  }
}
