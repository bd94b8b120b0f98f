import type { PushStream } from '@signalbox/platform';
import type { Resolver } from './dispatchers.js';
import type { BasicAuth } from './request-headers.js';
import type { SecretBag } from './secrets/secret-bag.js';

export interface EgressOptions {
  /** `host:port` or CIDR entries that may be called although private or on another port. */
  allow: string[];
  lookup?: Resolver;
  connectTimeoutMs?: number;
  /** A PEM file with the only trusted authorities, read for each connection; by default those of Node.js. */
  caFile?: string;
}

export interface EgressTarget {
  url: string;
  method: string;
  /** Stored configuration, never text of a user or model: placeholders are expanded from `secrets`. */
  headers?: Record<string, string>;
  basicAuth?: BasicAuth;
  /** Names of headers that follow no redirect to another origin, besides those that look like or hold a credential. */
  sensitiveHeaders?: readonly string[];
  /** Default 3; with 0 the redirect itself is returned. */
  maxRedirects?: number;
  allow?: string[];
  secrets?: SecretBag;
}

export interface EgressCall {
  /** An iterable needs `bodyBytes`; such a call follows no redirect that repeats its body. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  bodyBytes?: number;
  timeoutMs: number;
  /** Maximum silence while a body arrives; by default only the total time is limited. */
  idleTimeoutMs?: number;
  /** Of the decoded body, 5 MB by default. */
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface EgressRequest extends EgressTarget, EgressCall {}

/** Scrubbed of the secrets of its request. */
export interface EgressResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  url: string;
  truncated: boolean;
}

/** The body is read as it arrives; one over `maxBytes` fails. */
export interface EgressStream {
  status: number;
  headers: Record<string, string>;
  url: string;
  body: PushStream<Uint8Array>;
  /** `name` in lower case. */
  header(name: string): string | undefined;
  /** Waits for something of the reader's own, such as memory, which counts towards no limit of time. */
  pauseFor(wait: Promise<void>): Promise<void>;
  /** Has no effect after the end of the call. */
  close(): void;
}
