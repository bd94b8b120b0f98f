import type { PushStream } from '@signalbox/contracts';
import type { Resolver } from './dispatchers.js';
import type { BasicAuth } from './request-headers.js';
import type { SecretBag } from './secrets/secret-bag.js';

/** What the operator allows, and what to refuse as our own. */
export interface EgressOptions {
  /** `host:port` or CIDR entries that may be called although private or on another port. */
  allow: string[];
  /** Addresses of this machine, refused although public; by default those of its network interfaces. */
  ownAddresses?: string[];
  lookup?: Resolver;
  connectTimeoutMs?: number;
}

/** Where a call goes and as whom. */
export interface EgressTarget {
  url: string;
  method: string;
  /** Stored configuration, never text of a user or model: placeholders in it are expanded from `secrets`. */
  headers?: Record<string, string>;
  basicAuth?: BasicAuth;
  /** 3 by default; 0 gives the redirect itself. */
  maxRedirects?: number;
  /** Further entries that hold for this company only. */
  allow?: string[];
  secrets?: SecretBag;
}

/** What is sent, and how long and how much is waited for. */
export interface EgressCall {
  body?: string | Uint8Array;
  timeoutMs: number;
  /** Longest silence while a body arrives; without it only the total time counts. */
  idleTimeoutMs?: number;
  /** Limit of the decoded body, 5 MB by default. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/** One outgoing call. */
export interface EgressRequest extends EgressTarget, EgressCall {}

/** A complete answer, scrubbed of the secrets of its request. */
export interface EgressResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** Where the answer came from after redirects. */
  url: string;
  /** The body was longer than `maxBytes` and is cut there. */
  truncated: boolean;
}

/** An answer whose body is read as it arrives; more than `maxBytes` is a failure. */
export interface EgressStream {
  status: number;
  headers: Record<string, string>;
  url: string;
  body: PushStream<Uint8Array>;
  /** Ends the call early; harmless afterwards. */
  close(): void;
}
