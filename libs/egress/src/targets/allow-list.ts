import { isPublicAddress, isWithin, parseNetwork, type Network } from './addresses.js';

/** An entry of an allow-list is neither `host:port` nor a CIDR. */
export class InvalidAllowEntry extends Error {
  readonly kind = 'invalid_allow_entry';
  override readonly name = 'InvalidAllowEntry';

  constructor(readonly entry: string) {
    super(`'${entry}' is neither host:port nor a CIDR`);
  }
}

/** The permitted targets besides public hosts on ports 80 and 443: exact `host:port` pairs and whole networks. */
export class AllowList {
  readonly #named = new Set<string>();
  readonly #networks: Network[] = [];
  readonly #own: Network[];
  /** Equal for lists with the same entries; the key of their socket pool. */
  readonly key: string;

  constructor(entries: readonly string[], ownAddresses: readonly string[] = []) {
    for (const entry of entries) this.#add(entry.trim());
    this.#own = ownAddresses.map(networkOf);
    this.key = [...new Set(entries.map((entry) => entry.trim()))].sort().join(',');
  }

  #add(entry: string): void {
    const network = parseNetwork(entry);
    if (network) this.#networks.push(network);
    else this.#named.add(namedEntry(entry));
  }

  get hasNetworks(): boolean {
    return this.#networks.length > 0;
  }

  /** True when an entry names exactly this host and port, whatever it resolves to. */
  names(host: string, port: number): boolean {
    return this.#named.has(`${host}:${port}`);
  }

  /** True when this exact host and port, or the network of this literal address, is listed. */
  lists(host: string, port: number): boolean {
    const name = canonicalHost(host);
    return this.names(name, port) || isWithin(name.replace(/^\[|\]$/g, ''), this.#networks);
  }

  /** True when a connection to this address and port is permitted for a host that is not named. */
  permits(address: string, port: number): boolean {
    if (isWithin(address, this.#networks)) return true;
    return isWebPort(port) && isPublicAddress(address) && !isWithin(address, this.#own);
  }
}

/** True for the default ports of HTTP and HTTPS; every other port has to be listed. */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443;
}

/** Lower case and without the root dot, so that a host has one spelling. */
export function canonicalHost(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, '');
}

function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (!network) throw new InvalidAllowEntry(text);
  return network;
}

function namedEntry(entry: string): string {
  const port = /:(\d{1,5})$/.exec(entry)?.[1];
  const written = !/[/@?#\\\s]/.test(entry) && URL.canParse(`http://${entry}`);
  if (!port || Number(port) === 0 || !written) throw new InvalidAllowEntry(entry);
  return `${canonicalHost(new URL(`http://${entry}`).hostname)}:${Number(port)}`;
}
