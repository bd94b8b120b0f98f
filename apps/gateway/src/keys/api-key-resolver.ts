import { hash as digest } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { BusClient, BusConnection } from '@signalbox/bus';
import { ApiError, type Caller, identities, type Identity, portalLogins } from '@signalbox/contracts';
import { keyIdOf } from '@signalbox/platform';
import { KeyCache, type KnownKey } from './key-cache.js';

const LOOK_UP_MS = 25_000;
/** How long a call with a stale key waits for accounts; with the freshness of the cache, less than 5 s in total. */
const CONFIRM_MS = 800;

export interface LookUpBudget {
  /** Throws 429. */
  charge(): void;
  refund(): void;
}

interface Credential {
  hash: string;
  /** Looked up for an open stream, not for a call. */
  isWatched?: boolean;
  lookUp: (caller: Caller) => Promise<Identity>;
}

/**
 * Finds the company of a key: from the cache, else from accounts. While accounts is unreachable, cached keys stay valid
 * for up to 15 minutes; that never undoes a revocation which reached this process.
 */
@Injectable()
export class ApiKeyResolver implements OnModuleInit, OnApplicationShutdown {
  private readonly cache = new KeyCache();
  private readonly pending = new Map<string, Promise<KnownKey | null>>();
  /** The latest look-up failed or timed out: calls with stale keys do not wait for another. */
  private isAccountsUnreachable = false;
  private unlisten: () => void = () => undefined;

  constructor(
    private readonly bus: BusClient,
    private readonly connection: BusConnection,
  ) {}

  onModuleInit(): void {
    this.unlisten = this.connection.listen('broadcast.keys', (payload) =>
      this.cache.forget(Number(Buffer.from(payload).toString())),
    );
    this.connection.onReconnect(() => {
      this.cache.expireAll();
      this.isAccountsUnreachable = false;
    });
  }

  /** A stopping process still answers calls and holds streams. */
  onApplicationShutdown(): void {
    this.unlisten();
  }

  /** Null for an unknown or revoked key. A well-formed key that is not cached is charged before it is looked up. */
  resolve(text: string, requestId: string, budget?: LookUpBudget): KnownKey | null | Promise<KnownKey | null> {
    const hash = digest('sha256', text, 'base64');
    const cached = this.cache.get(hash, Date.now());
    if (cached !== undefined) return cached;
    if (keyIdOf(text) === null) return null;
    const lookUp = (caller: Caller) => this.bus.call(identities.endpoints.resolveKey, { key: text }, caller);
    return this.resolveUncached({ hash, lookUp }, requestId, budget);
  }

  /** The key that a portal session acts with, null when the session or its key has ended. */
  resolveSession(token: string, requestId: string, budget?: LookUpBudget): KnownKey | null | Promise<KnownKey | null> {
    const hash = hashOfSession(token);
    const cached = this.cache.get(hash, Date.now());
    if (cached !== undefined) return cached;
    const lookUp = (caller: Caller) => this.bus.call(portalLogins.endpoints.resolveSession, { token }, caller);
    return this.resolveUncached({ hash, lookUp }, requestId, budget);
  }

  /**
   * As `resolveSession`, for a stream that was opened with the key: a stream that stays open is no use of the session,
   * which would otherwise never end for lack of use.
   */
  watchSession(token: string, keyId: number, requestId: string): KnownKey | null | Promise<KnownKey | null> {
    const hash = hashOfSession(token);
    const cached = this.cache.watched(hash, Date.now());
    if (cached !== undefined) return cached;
    const lookUp = async (caller: Caller): Promise<Identity> => {
      const { company_id, scopes, expires_at } = await this.bus.call(
        portalLogins.endpoints.describeSession,
        { token },
        caller,
      );
      return { company_id, key_id: keyId, scopes, expires_at };
    };
    return this.resolveUncached({ hash, lookUp, isWatched: true }, requestId);
  }

  private resolveUncached(
    credential: Credential,
    requestId: string,
    budget?: LookUpBudget,
  ): KnownKey | Promise<KnownKey | null> {
    const stale = this.cache.stale(credential.hash, Date.now());
    if (!stale) return this.chargedLookUp(credential, requestId, budget);
    const pending = this.sharedLookUp(credential, requestId);
    if (!this.isAccountsUnreachable) return this.confirmedOrStale(pending, credential.hash);
    pending.catch(() => undefined);
    return stale;
  }

  private chargedLookUp(credential: Credential, requestId: string, budget?: LookUpBudget): Promise<KnownKey | null> {
    if (!budget || this.pending.has(credential.hash)) return this.sharedLookUp(credential, requestId);
    budget.charge();
    return this.sharedLookUp(credential, requestId).then((known) => {
      if (known) budget.refund();
      return known;
    });
  }

  private sharedLookUp(credential: Credential, requestId: string): Promise<KnownKey | null> {
    const running = this.pending.get(credential.hash);
    if (running) return running;
    const pending = this.confirm(credential, requestId).finally(() => this.pending.delete(credential.hash));
    this.pending.set(credential.hash, pending);
    return pending;
  }

  /** The reply of accounts, or after `CONFIRM_MS` the stale key, unless it was invalidated meanwhile. */
  private confirmedOrStale(pending: Promise<KnownKey | null>, hash: string): Promise<KnownKey | null> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const stale = this.cache.stale(hash, Date.now());
        if (!stale) return;
        this.isAccountsUnreachable = true;
        resolve(stale);
      }, CONFIRM_MS);
      pending.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  private async confirm({ hash, lookUp, isWatched }: Credential, requestId: string): Promise<KnownKey | null> {
    const { version } = this.cache;
    try {
      const known = await lookUpKey(lookUp, requestId);
      this.isAccountsUnreachable = false;
      if (isWatched) this.cache.putWatched(hash, known, version, Date.now());
      else this.cache.put(hash, known, version, Date.now());
      return known;
    } catch (error) {
      this.isAccountsUnreachable = true;
      const stale = this.cache.stale(hash, Date.now());
      if (!stale) throw error;
      this.cache.extendStale(hash, Date.now());
      return stale;
    }
  }
}

const hashOfSession = (token: string): string => digest('sha256', `session ${token}`, 'base64');

async function lookUpKey(lookUp: Credential['lookUp'], requestId: string): Promise<KnownKey | null> {
  const caller = { companyId: 0, keyId: null, scopes: [], requestId, deadline: Date.now() + LOOK_UP_MS };
  try {
    const found = await lookUp(caller);
    return {
      companyId: found.company_id,
      keyId: found.key_id,
      scopes: found.scopes,
      expiresAt: found.expires_at,
    };
  } catch (error) {
    if (error instanceof ApiError && (error.kind === 'not_found' || error.kind === 'invalid')) return null;
    throw error;
  }
}
