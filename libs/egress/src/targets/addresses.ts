import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** First address and prefix length. */
export type Network = [Address, number];

// Reply to every tenant of a cloud although their address is public.
const CLOUD_METADATA = ['168.63.129.16'].map((text) => ipaddr.parse(text).toNormalizedString());
// ipaddr.js returns «unicast» for every range it has no name for, including the deprecated ::a.b.c.d forms.
const GLOBAL_V6: Network = [ipaddr.parse('2000::'), 3];

/** Accepts `10.0.0.0/8`, or a single address. */
export function parseNetwork(text: string): Network | null {
  if (ipaddr.isValidCIDR(text)) return strictCidr(text);
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function strictCidr(text: string): Network | null {
  const [address, bits] = ipaddr.parseCIDR(text);
  const host = text.slice(0, text.indexOf('/'));
  return address.kind() === 'ipv6' || ipaddr.IPv4.isValidFourPartDecimal(host) ? [address, bits] : null;
}

export function isWithin(text: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return networks.some((network) => contains(network, address));
}

/** Public unicast: not private, local, translated, tunnelled or for documentation. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6') return contains(GLOBAL_V6, address);
  return !CLOUD_METADATA.includes(address.toNormalizedString());
}

function contains([base, bits]: Network, address: Address): boolean {
  if (base.kind() !== address.kind()) return false;
  return address.kind() === 'ipv4'
    ? (address as ipaddr.IPv4).match(base as ipaddr.IPv4, bits)
    : (address as ipaddr.IPv6).match(base as ipaddr.IPv6, bits);
}
