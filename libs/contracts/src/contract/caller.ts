/** The scopes of a key that administers a company. */
export const ADMIN_SCOPES = ['read', 'write', 'invoke', 'admin'] as const;
/** What an API key may do (docs/api/README.md). `ingest` is given to keys in other processes, and no scope implies it. */
export const SCOPES = [...ADMIN_SCOPES, 'ingest'] as const;
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
  /** UUID of a resumable call, the same each time it is sent; the work that it starts has this id. */
  callId?: string;
  /** The call was sent before, to a process that went away: its work may exist already. */
  isResent?: boolean;
  /** Set by services when a task or a run makes the call; never taken from a request. */
  chain?: Chain;
  /** Set when a client of the Model Context Protocol makes the call: the trigger of the task that it starts. */
  via?: 'MCP';
}

/** Calls of a chain below its root: tasks and runs are nested at most so deep, over all services together. */
export const MAX_CHAIN_DEPTH = 10;

/** The tasks and runs above a call, over all services. */
export interface Chain {
  /** Id of the task or run at the top. */
  root: string;
  /** Id of the task or run that makes the call, and is above what the call starts. */
  parent: string;
  /** How many tasks and runs are above what the call starts: 1 for a call of the root. */
  depth: number;
  /** Epoch milliseconds at which what the call starts has to end; null without a limit. */
  until: number | null;
  /** US dollars that are left of the budget of the chain; null without a budget. */
  budget: number | null;
}

/** Makes a call take effect once (docs/api/idempotency.md). */
export interface IdempotencyClaim {
  key: string;
  /** `METHOD /path` of the call. */
  route: string;
  /** Keyed hash of the canonical body. */
  bodyHash: string;
  /** The same under the other key while the master key changes: an earlier call may have it. */
  otherBodyHash?: string;
  /** The try that holds the key; one that lost it to a later try cannot have an effect any more. */
  holder?: string;
  /** Fields of the reply that are never stored, because they are shown only once; the serving process fills it in. */
  shownOnce?: readonly string[];
  /** The provisional reply of an earlier try whose work still runs: wait for it, start nothing. */
  earlier?: unknown;
}
