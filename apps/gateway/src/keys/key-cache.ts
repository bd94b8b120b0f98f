/** A company's key as the gateway remembers it. */
export interface KnownKey {
  companyId: number;
  keyId: number;
  scopes: readonly string[];
  /** Epoch milliseconds, null = never. */
  expiresAt: number | null;
}

interface Entry {
  known: KnownKey | null;
  until: number;
}

const KNOWN_MS = 5000;
const UNKNOWN_MS = 1000;
const MAX_ENTRIES = 10_000;

/** Remembers for seconds who a key speaks for; keyed by hash, so that no key text stays in memory. */
export class KeyCache {
  private readonly known = new Map<string, Entry>();
  /** Apart, so that a flood of guesses cannot push out good keys. */
  private readonly unknown = new Map<string, Entry>();
  private generation = 0;

  /** The remembered answer: a key, null for a key known to be none, undefined when it has to be asked. */
  get(hash: string, now: number): KnownKey | null | undefined {
    const entry = this.known.get(hash) ?? this.unknown.get(hash);
    return entry !== undefined && now < entry.until ? entry.known : undefined;
  }

  /** To be taken before asking, and given to `put`. */
  get era(): number {
    return this.generation;
  }

  /** Remembers an answer, unless keys were forgotten while it was asked for: it may be older than the change. */
  put(hash: string, known: KnownKey | null, era: number, now: number): void {
    if (era !== this.generation) return;
    const [map, lasting] = known ? [this.known, KNOWN_MS] : [this.unknown, UNKNOWN_MS];
    this.known.delete(hash);
    if (map.size >= MAX_ENTRIES) map.delete(map.keys().next().value ?? '');
    map.set(hash, { known, until: Math.min(now + lasting, known?.expiresAt ?? Infinity) });
  }

  /** Forgets a changed key. */
  forget(keyId: number): void {
    this.generation++;
    for (const [hash, entry] of this.known) if (entry.known?.keyId === keyId) this.known.delete(hash);
  }

  /** Forgets everything, after a time in which changes may have been missed. */
  forgetAll(): void {
    this.generation++;
    this.known.clear();
    this.unknown.clear();
  }
}
