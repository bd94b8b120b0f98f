import { LRUCache } from 'lru-cache';

export interface KnownKey {
  companyId: number;
  keyId: number;
  scopes: readonly string[];
  /** Epoch milliseconds, null = never. */
  expiresAt: number | null;
}

interface Entry {
  known: KnownKey | null;
  freshUntil: number;
  /** As `freshUntil`, for open streams. */
  watchedUntil: number;
  confirmedAt: number;
}

const KNOWN_MS = 4000;
const UNKNOWN_MS = 1000;
/** How long a confirmed key is accepted while accounts is unreachable. */
const UNCONFIRMED_MS = 15 * 60_000;
const MAX_ENTRIES = 10_000;

/** Keyed by hash, so that no key text stays in memory. */
export class KeyCache {
  private readonly known = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  /** Separate, so that a flood of unknown keys cannot evict good ones. */
  private readonly unknown = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  private generation = 0;

  /** Null for a key that is known not to exist, undefined when a look-up is needed. */
  get(hash: string, now: number): KnownKey | null | undefined {
    const entry = this.known.get(hash) ?? this.unknown.get(hash);
    return entry !== undefined && now < entry.freshUntil ? entry.known : undefined;
  }

  /** As `get`, for an open stream. */
  watched(hash: string, now: number): KnownKey | null | undefined {
    const entry = this.known.get(hash) ?? this.unknown.get(hash);
    return entry !== undefined && now < entry.watchedUntil ? entry.known : undefined;
  }

  /** A key confirmed within the last 15 minutes and not changed since, for use while accounts is unreachable. */
  stale(hash: string, now: number): KnownKey | undefined {
    const entry = this.known.get(hash);
    if (!entry?.known || now >= entry.confirmedAt + UNCONFIRMED_MS) return undefined;
    return now < (entry.known.expiresAt ?? Infinity) ? entry.known : undefined;
  }

  /** Makes a stale key fresh for another second, so that not every call looks it up. */
  extendStale(hash: string, now: number): void {
    const entry = this.known.get(hash);
    if (!entry) return;
    entry.freshUntil = Math.min(now + UNKNOWN_MS, entry.known?.expiresAt ?? Infinity);
    entry.watchedUntil = entry.freshUntil;
  }

  /** To be read before a look-up and passed to `put`. */
  get version(): number {
    return this.generation;
  }

  /** Ignores a result when keys were invalidated during its look-up: it may be older than the change. */
  put(hash: string, known: KnownKey | null, version: number, now: number): void {
    if (version !== this.generation) return;
    this.known.delete(hash);
    const [cache, lasting] = known ? [this.known, KNOWN_MS] : [this.unknown, UNKNOWN_MS];
    const freshUntil = Math.min(now + lasting, known?.expiresAt ?? Infinity);
    cache.set(hash, { known, freshUntil, watchedUntil: freshUntil, confirmedAt: now });
  }

  /** As `put`, for a key that an open stream watches: the next call is to look it up all the same. */
  putWatched(hash: string, known: KnownKey | null, version: number, now: number): void {
    const freshUntil = this.known.get(hash)?.freshUntil ?? 0;
    this.put(hash, known, version, now);
    const entry = this.known.get(hash);
    if (entry) entry.freshUntil = freshUntil;
  }

  forget(keyId: number): void {
    this.generation++;
    for (const [hash, entry] of this.known) if (entry.known?.keyId === keyId) this.known.delete(hash);
  }

  /** Marks every key stale: invalidations may have been missed. */
  expireAll(): void {
    this.generation++;
    for (const entry of this.known.values()) entry.freshUntil = entry.watchedUntil = 0;
    this.unknown.clear();
  }
}
