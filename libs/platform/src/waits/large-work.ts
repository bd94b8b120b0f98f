import { setImmediate } from 'node:timers/promises';

/** Bytes or characters from which a pass over a text takes other calls noticeable time. */
const LARGE = 64 * 1024;

/**
 * Work on large texts in one process, of which one piece begins per turn of the event loop, in the order in which they
 * are due. Without it the calls of others wait for all that is due, such as the parsing of several bodies of a megabyte.
 */
export class LargeWork {
  private last: Promise<void> = Promise.resolve();

  /** Resolves when work on a text of this length may begin; undefined where it may at once. */
  turn(length: number): Promise<void> | undefined {
    if (length < LARGE) return undefined;
    this.last = this.last.then(() => setImmediate());
    return this.last;
  }
}

/** The large work of this process. */
export const largeWork = new LargeWork();
