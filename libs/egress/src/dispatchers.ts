import { lookup as resolve } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector, Pool, type Dispatcher } from 'undici';
import { canonicalHost, type AllowList } from './targets/allow-list.js';
import { EgressDenied, EgressFailed } from './errors.js';
import { portOf } from './targets/target.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}
export type Resolver = (hostname: string) => Promise<ResolvedAddress[]>;

const MAX_POLICIES = 64;
export const MAX_HEADER_BYTES = 16 * 1024;

export const systemResolver: Resolver = (hostname) => resolve(hostname, { all: true });

/**
 * Socket pools, one per allow-list: a socket opened under the permission of one company never carries a call of
 * another.
 */
export class Dispatchers {
  readonly #agents = new LRUCache<string, Agent>({
    max: MAX_POLICIES,
    // An evicted pool closes after the calls in flight.
    dispose: (agent, _key, reason) => void (reason === 'evict' && agent.close().catch(() => undefined)),
  });

  constructor(
    private readonly resolver: Resolver,
    private readonly connectTimeoutMs: number,
    private readonly caFile?: string,
  ) {}

  of(allow: AllowList): Dispatcher {
    const known = this.#agents.get(allow.key);
    if (known) return known;
    const agent = this.#agentFor(allow);
    this.#agents.set(allow.key, agent);
    return agent;
  }

  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  #agentFor(allow: AllowList): Agent {
    return new Agent({
      factory: (origin, options) => {
        const port = portOf(new URL(origin));
        const lookup = guardedLookup(allow, port, this.resolver);
        const connect = connectorOf({ lookup, timeout: this.connectTimeoutMs }, this.caFile);
        return new Pool(origin, { ...options, connect, maxHeaderSize: MAX_HEADER_BYTES, pipelining: 1 });
      },
    });
  }
}

function connectorOf(options: buildConnector.BuildOptions, caFile: string | undefined): buildConnector.connector {
  if (caFile === undefined) return buildConnector(options);
  return (target, callback) => {
    let ca: Buffer;
    try {
      ca = readFileSync(caFile);
    } catch {
      return callback(new EgressFailed('connection', 'the file of its certificate authority cannot be read'), null);
    }
    buildConnector({ ...options, ca })(target, callback);
  };
}

/** Every resolved address must be permitted, and the socket connects to one of exactly these. */
export function guardedLookup(allow: AllowList, port: number, resolver: Resolver): LookupFunction {
  return (hostname, options, callback) => {
    permittedAddresses(hostname, port, allow, resolver).then(
      (answers) => (options.all ? callback(null, answers) : callback(null, answers[0]!.address, answers[0]!.family)),
      (error: NodeJS.ErrnoException) => callback(error, options.all ? [] : '', 0),
    );
  };
}

async function permittedAddresses(hostname: string, port: number, allow: AllowList, resolver: Resolver) {
  const answers = await resolver(hostname);
  if (answers.length === 0) throw new EgressFailed('dns', 'the host name does not exist');
  const named = allow.names(canonicalHost(hostname), port);
  if (!named && !answers.every(({ address }) => allow.permits(address, port))) throw new EgressDenied('address');
  return answers;
}
