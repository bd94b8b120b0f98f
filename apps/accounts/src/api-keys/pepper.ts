import { createHmac } from 'node:crypto';
import { hmacOf } from '@signalbox/servers';

/** The key of the hash of API keys and of tokens; without it a copy of their tables is useless. */
export class Pepper {
  readonly #key: Buffer;

  constructor(pepper: string) {
    this.#key = Buffer.from(pepper, 'hex');
  }

  hash(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

/**
 * The hash of API keys in 0.1.0. Keys that were not used since have no other one, and processes of 0.1.0, which may run
 * next to this one during an update, know no other one.
 */
export class FormerPepper {
  readonly #state: Buffer;

  constructor(state: string) {
    this.#state = Buffer.from(state, 'hex');
  }

  hash(text: string): Buffer {
    return hmacOf(this.#state, text);
  }
}
