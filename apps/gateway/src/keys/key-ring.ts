import { hash as digest } from 'node:crypto';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { BusClient, BusConnection } from '@signalbox/bus';
import { ApiError, identities, keyIdOf } from '@signalbox/contracts';
import { KeyCache, type KnownKey } from './key-cache.js';

const LOOK_UP_MS = 5000;

/** Finds out who a key speaks for: from memory, else from accounts; concurrent look-ups of one key share one call. */
@Injectable()
export class KeyRing implements OnModuleInit, OnModuleDestroy {
  private readonly cache = new KeyCache();
  private readonly asking = new Map<string, Promise<KnownKey | null>>();
  private unlisten: () => void = () => undefined;

  constructor(
    private readonly bus: BusClient,
    private readonly connection: BusConnection,
  ) {}

  onModuleInit(): void {
    this.unlisten = this.connection.listen('cast.keys', (payload) =>
      this.cache.forget(Number(Buffer.from(payload).toString())),
    );
    this.connection.onReconnect(() => this.cache.forgetAll());
  }

  onModuleDestroy(): void {
    this.unlisten();
  }

  /** The key's company, null when the text is no live key; an answer from memory comes at once. */
  resolve(text: string, requestId: string): KnownKey | null | Promise<KnownKey | null> {
    const hash = digest('sha256', text, 'base64');
    const remembered = this.cache.get(hash, Date.now());
    if (remembered !== undefined) return remembered;
    if (keyIdOf(text) === null) return null;
    const asked = this.asking.get(hash);
    if (asked) return asked;
    const asking = this.ask(text, hash, requestId).finally(() => this.asking.delete(hash));
    this.asking.set(hash, asking);
    return asking;
  }

  private async ask(text: string, hash: string, requestId: string): Promise<KnownKey | null> {
    const { era } = this.cache;
    const known = await this.lookUp(text, requestId);
    this.cache.put(hash, known, era, Date.now());
    return known;
  }

  private async lookUp(key: string, requestId: string): Promise<KnownKey | null> {
    const caller = { companyId: 0, keyId: null, scopes: [], requestId, deadline: Date.now() + LOOK_UP_MS };
    try {
      const found = await this.bus.call(identities.endpoints.resolveKey, { key }, caller);
      return {
        companyId: found.company_id,
        keyId: found.key_id,
        scopes: found.scopes,
        expiresAt: found.expires_at,
      };
    } catch (error) {
      if (error instanceof ApiError && (error.kind === 'not_found' || error.kind === 'invalid')) return null;
      if (error instanceof ApiError && error.kind === 'timeout')
        throw new ApiError('unavailable', 'the accounts service is down', { retryAfter: 1 });
      throw error;
    }
  }
}
