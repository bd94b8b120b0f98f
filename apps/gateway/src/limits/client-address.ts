import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** IPv4-mapped IPv6, as a dual-stack socket reports IPv4 clients. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** A fast path for nearly every address: the regular expressions below and those of `node:net` are slow. */
const isPlainIPv4 = (address: string): boolean => !address.includes(':') && !address.includes('%');

const plain = (address: string): string =>
  isPlainIPv4(address) ? address : (MAPPED.exec(address)?.[1] ?? address.replace(/%.*$/, ''));

const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** Some proxies, such as those of Azure, append the port of their client, which puts an IPv6 address in brackets. */
function addressIn(hop: string): string {
  if (isPlainIPv4(hop)) return hop;
  const [, bracketed, dotted] = WITH_PORT.exec(hop) ?? [];
  return plain(bracketed ?? dotted ?? hop);
}

/** The /64 network of an IPv6 address: one client commonly owns all addresses in it. */
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

/** Trusts `X-Forwarded-For` only as far as trusted proxies wrote it. */
export class ClientAddresses {
  private readonly trusted: BlockList | null;

  constructor(proxies: readonly string[]) {
    this.trusted = proxies.length > 0 ? listOf(proxies) : null;
  }

  /** A trusted proxy's connections carry requests of many clients. */
  isProxy(address: string | undefined): boolean {
    if (!this.trusted || !address) return false;
    const text = plain(address);
    return isIP(text) !== 0 && this.trusted.check(text, isIPv6(text) ? 'ipv6' : 'ipv4');
  }

  /** The address that limits count a request under; for IPv6 the /64 network. */
  of({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    let address = plain(socket.remoteAddress ?? '');
    const forwarded = this.trusted ? headers['x-forwarded-for'] : undefined;
    if (forwarded !== undefined) {
      const hops = String(forwarded).split(',');
      // From the right: each proxy appends the address of its client.
      for (let at = hops.length - 1; at >= 0 && this.isProxy(address); at--) {
        const hop = addressIn((hops[at] ?? '').trim());
        if (isIP(hop) === 0) break;
        address = hop;
      }
    }
    return !isPlainIPv4(address) && isIPv6(address) ? network(address) : address;
  }
}
