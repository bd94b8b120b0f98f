import { createHmac, timingSafeEqual } from 'node:crypto';
import { hmacOf } from '@signalbox/servers';

/**
 * The keys of the hash of API keys and of tokens; without them a copy of their tables is useless. What is new is hashed
 * with the first; a hash cannot be computed anew, so the others stay valid.
 */
export class Pepper {
  readonly #keys: Buffer[];

  constructor(peppers: readonly string[]) {
    this.#keys = peppers.map((pepper) => Buffer.from(pepper, 'hex'));
  }

  hash(text: string): Buffer {
    return this.hashes(text)[0] ?? Buffer.alloc(0);
  }

  /** The hashes that a text may be stored with. */
  hashes(text: string): Buffer[] {
    return this.#keys.map((key) => createHmac('sha256', key).update(text).digest());
  }
}

/**
 * The hash of API keys in 0.1.0. Keys that were not used since have no other one, and processes of 0.1.0, which may run
 * next to this one during an update, know no other one.
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

/** Whether a stored hash is one of those that a text has; how long it takes does not say how much of it is the same. */
export const isAmong = (stored: Buffer, hashes: readonly Buffer[]): boolean =>
  hashes.some((hash) => hash.length === stored.length && timingSafeEqual(hash, stored));
