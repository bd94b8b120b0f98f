/** What an API key may do (api.md 1.5). */
export const SCOPES = ['read', 'write', 'invoke', 'admin'] as const;
/** One scope. */
export type Scope = (typeof SCOPES)[number];

/** On whose behalf a call is made; an explicit argument everywhere, never ambient. */
export interface Caller {
  companyId: number;
  /** The API key used, null for operator commands and background work. */
  keyId: number | null;
  scopes: readonly Scope[];
  requestId: string;
  /** Epoch milliseconds after which the caller no longer waits for the reply. */
  deadline: number;
  /** W3C trace context of the call. */
  traceparent?: string;
  /** Set when the client asked for idempotency. */
  idempotency?: IdempotencyClaim;
  /** UUID of a reattachable call, the same each time it is sent; the work that it starts has this id. */
  callId?: string;
  /** The call was sent before, to a process that went away: its work may exist already. */
  isResent?: boolean;
}

/** Makes a call take effect once (api.md 1.9). */
export interface IdempotencyClaim {
  key: string;
  /** `METHOD /path` of the call. */
  route: string;
  /** Keyed hash of the canonical body. */
  bodyHash: string;
  /** The try that holds the key; one that lost it to a later try cannot have an effect any more. */
  holder?: string;
  /** Fields of the reply that are never stored, because they are shown only once; the serving process fills it in. */
  shownOnce?: readonly string[];
  /** The provisional reply of an earlier try whose work still runs: wait for it, start nothing. */
  earlier?: unknown;
}
