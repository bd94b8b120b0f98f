import { createHmac, timingSafeEqual } from 'node:crypto';
import { hmacOf } from '@signalbox/servers';

/** HMAC keys for API keys and tokens. The first one hashes; the others verify, because hashes cannot be recomputed. */
export class Pepper {
  readonly #keys: Buffer[];

  constructor(peppers: readonly string[]) {
    this.#keys = peppers.map((pepper) => Buffer.from(pepper, 'hex'));
  }

  hash(text: string): Buffer {
    return this.hashes(text)[0] ?? Buffer.alloc(0);
  }

  /** Every hash that the text may be stored with. */
  hashes(text: string): Buffer[] {
    return this.#keys.map((key) => createHmac('sha256', key).update(text).digest());
  }
}

/**
 * The hash of API keys in 0.1.0: of keys not used since, and for processes of 0.1.0 that still run during an update.
 */
export class FormerPepper {
  readonly #states: Buffer[];

  constructor(states: readonly string[]) {
    this.#states = states.map((state) => Buffer.from(state, 'hex'));
  }

  hash(text: string): Buffer {
    return this.hashes(text)[0] ?? Buffer.alloc(0);
  }

  hashes(text: string): Buffer[] {
    return this.#states.map((state) => hmacOf(state, text));
  }
}

/** Compares in constant time. */
export const isAmong = (stored: Buffer, hashes: readonly Buffer[]): boolean =>
  hashes.some((hash) => hash.length === stored.length && timingSafeEqual(hash, stored));
