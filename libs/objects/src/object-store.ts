import { randomUUID } from 'node:crypto';
import { ApiError } from '@signalbox/contracts';
import { withTimeout } from '@signalbox/platform';
import { isWhole, KEY, keyOf } from './object-key.js';
import type { Place } from './place.js';

/** Shorter than the idle limit of a transaction, because some transactions wait for an object. */
const OPERATION_MS = 8000;
const CHECK_MS = 4000;
const FRESH_MS = 3_600_000;
const PROBES = '0/';

const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** The store is not usable at the moment; the caller receives 503 with Retry-After. */
class ObjectStoreDown extends ApiError {
  constructor(reason: string) {
    super('unavailable', `the object store cannot be used (${reason})`, { retryAfter: 1 });
  }
}

/** Large values of companies by the hash of their content. Write the object before the row that references it. */
export class ObjectStore {
  /** Prefix of the probe objects of this process; no company has the number 0. */
  private readonly probe = `${PROBES}${randomUUID()}`;

  constructor(private readonly place: Place) {}

  /** Stores the bytes and returns their key; equal bytes of a company are one object. */
  async put(companyId: number, bytes: Uint8Array): Promise<string> {
    if (bytes.length > MAX_OBJECT_BYTES) throw new ApiError('too_large', 'the object is too large to be stored');
    const key = checked(keyOf(companyId, bytes));
    await bounded(OPERATION_MS, async () => {
      // An old object is written again, so that it is not collected as an orphan before its row is committed.
      const writtenAt = await this.place.writtenAt(key);
      if (writtenAt === null || writtenAt < Date.now() - FRESH_MS) await this.place.write(key, bytes);
    });
    return key;
  }

  /** Returns the bytes under a key, null when there are none; damaged ones are an error. */
  async get(key: string): Promise<Buffer | null> {
    const bytes = await bounded(OPERATION_MS, () => this.place.read(checked(key)));
    if (bytes && !isWhole(key, bytes)) throw new ObjectStoreDown('the object is damaged');
    return bytes;
  }

  async delete(key: string): Promise<void> {
    await bounded(OPERATION_MS, () => this.place.remove(checked(key)));
  }

  /** Deletes an object unless it was written after `before`; returns whether it was deleted. */
  deleteOlder(key: string, before: number): Promise<boolean> {
    return bounded(OPERATION_MS, async () => {
      const writtenAt = await this.place.writtenAt(checked(key));
      if (writtenAt === null || writtenAt >= before) return false;
      await this.place.remove(key);
      return true;
    });
  }

  /** Lists the keys of all objects last written before a time; removes abandoned probe objects on the way. */
  async *listOlderThan(before: number): AsyncGenerator<string> {
    try {
      for await (const { name, writtenAt } of this.place.list()) {
        if (writtenAt >= before) continue;
        if (KEY.test(name)) yield name;
        else if (name.startsWith(PROBES)) await this.place.remove(name);
      }
    } catch (error) {
      throw downFrom(error);
    }
  }

  /** Removes unfinished writes of processes that ended before this time. */
  async dropUnfinished(before: number): Promise<void> {
    await bounded(OPERATION_MS, () => this.place.dropUnfinished(before));
  }

  /** Writes, reads and deletes a small object within seconds; throws when that fails. */
  async check(): Promise<void> {
    const bytes = Buffer.from(randomUUID());
    await bounded(CHECK_MS, async () => {
      await this.place.write(this.probe, bytes);
      const read = await this.place.read(this.probe);
      await this.place.remove(this.probe);
      if (!read?.equals(bytes)) throw new ObjectStoreDown('it does not keep what it is given');
    });
  }

  async close(): Promise<void> {
    await this.place.close();
  }
}

function checked(key: string): string {
  if (!KEY.test(key)) throw new Error('this is not a key of the object store');
  return key;
}

/**
 * Limits every operation, so that a dead network disk or a server that does not respond blocks no caller for longer.
 */
async function bounded<Result>(limitMs: number, act: () => Promise<Result>): Promise<Result> {
  const late = (): never => {
    throw new ObjectStoreDown('no answer in time');
  };
  try {
    return await withTimeout(act(), limitMs, late);
  } catch (error) {
    throw downFrom(error);
  }
}

function downFrom(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  // The text of a file system error contains paths; its code is sufficient.
  return new ObjectStoreDown(code ?? message);
}
