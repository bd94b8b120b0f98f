import { isPublicAddress, isWithin, parseNetwork, type Network } from './addresses.js';

export class InvalidAllowEntry extends Error {
  readonly kind = 'invalid_allow_entry';
  override readonly name = 'InvalidAllowEntry';

  constructor(readonly entry: string) {
    super(`'${entry}' is neither host:port nor a CIDR`);
  }
}

/** Permitted besides public hosts on ports 80 and 443: `host:port` pairs and networks. */
export class AllowList {
  readonly #named = new Set<string>();
  readonly #networks: Network[] = [];
  readonly #own: Network[];
  /** Equal for lists with the same entries; identifies their socket pool. */
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

  /** Whatever the host resolves to. */
  names(host: string, port: number): boolean {
    return this.#named.has(`${host}:${port}`);
  }

  /** Exactly this host and port, or the network of this literal address. */
  lists(host: string, port: number): boolean {
    const name = canonicalHost(host);
    return this.names(name, port) || isWithin(name.replace(/^\[|\]$/g, ''), this.#networks);
  }

  permits(address: string, port: number): boolean {
    if (isWithin(address, this.#networks)) return true;
    return isWebPort(port) && isPublicAddress(address) && !isWithin(address, this.#own);
  }
}

export function isWebPort(port: number): boolean {
  return port === 80 || port === 443;
}

/** One spelling per host. */
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
