import type { PushStream } from '@signalbox/platform';
import type { Resolver } from './dispatchers.js';
import type { BasicAuth } from './request-headers.js';
import type { SecretBag } from './secrets/secret-bag.js';

/** The settings of the operator, and the addresses of this machine. */
export interface EgressOptions {
  /** `host:port` or CIDR entries that may be called although private or on another port. */
  allow: string[];
  /** Addresses of this machine, refused although public; by default those of its network interfaces. */
  ownAddresses?: string[];
  lookup?: Resolver;
  connectTimeoutMs?: number;
  /** A PEM file with the only authorities that are trusted, read for each connection; by default those of Node.js. */
  caFile?: string;
}

/** The target of a call and its credentials. */
export interface EgressTarget {
  url: string;
  method: string;
  /** Stored configuration, never text of a user or model: placeholders in it are expanded from `secrets`. */
  headers?: Record<string, string>;
  basicAuth?: BasicAuth;
  /** 3 by default; with 0 the redirect itself is returned. */
  maxRedirects?: number;
  /** Further entries for this company only. */
  allow?: string[];
  secrets?: SecretBag;
}

/** The body of a call, with its limits of time and size. */
export interface EgressCall {
  /** A body that is sent while it is read needs `bodyBytes`; such a call follows no redirect that repeats its body. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** The exact length of a body that is sent while it is read. */
  bodyBytes?: number;
  timeoutMs: number;
  /** Maximum silence while a body arrives; without it only the total time is limited. */
  idleTimeoutMs?: number;
  /** Limit of the decoded body, 5 MB by default. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/** One outgoing call. */
export interface EgressRequest extends EgressTarget, EgressCall {}

/** A complete response, scrubbed of the secrets of its request. */
export interface EgressResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The URL of the response after redirects. */
  url: string;
  /** True when the body was longer than `maxBytes` and was truncated. */
  truncated: boolean;
}

/** A response whose body is read as it arrives; a body over `maxBytes` is a failure. */
export interface EgressStream {
  status: number;
  headers: Record<string, string>;
  url: string;
  body: PushStream<Uint8Array>;
  /** One header, by its name in lower case. */
  header(name: string): string | undefined;
  /** Waits for something of the reader's own, such as memory, which counts towards no limit of time. */
  pauseFor(wait: Promise<void>): Promise<void>;
  /** Ends the call early; has no effect after its end. */
  close(): void;
}
