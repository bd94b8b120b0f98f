import { randomUUID } from 'node:crypto';
import { ApiError } from '@signalbox/contracts';
import { requireNoTransaction, withTimeout } from '@signalbox/platform';
import { isWhole, KEY, keyOf } from './object-key.js';
import type { ObjectBackend } from './object-backend.js';

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

  constructor(private readonly backend: ObjectBackend) {}

  /** Stores the bytes and returns their key; equal bytes of a company are one object. */
  async put(companyId: number, bytes: Uint8Array): Promise<string> {
    if (bytes.length > MAX_OBJECT_BYTES) throw new ApiError('too_large', 'the object is too large to be stored');
    const key = checked(keyOf(companyId, bytes));
    await bounded(OPERATION_MS, async (signal) => {
      // An old object, or one of unknown age, is written again, so that it is not collected as an orphan before its row
      // is committed.
      const writtenAt = await this.backend.writtenAt(key, signal);
      const isFresh = writtenAt !== null && writtenAt >= Date.now() - FRESH_MS;
      if (!isFresh) await this.backend.write(key, bytes, signal);
    });
    return key;
  }

  /** Returns the bytes under a key, null when there are none; damaged ones are an error. */
  async get(key: string): Promise<Buffer | null> {
    const bytes = await bounded(OPERATION_MS, (signal) => this.backend.read(checked(key), signal));
    if (bytes && !isWhole(key, bytes)) throw new ObjectStoreDown('the object is damaged');
    return bytes;
  }

  async delete(key: string): Promise<void> {
    await bounded(OPERATION_MS, (signal) => this.backend.remove(checked(key), signal));
  }

  /**
   * Deletes an object that was written before a time; returns whether it was deleted. One of unknown age stays. Stores have
   * no such operation: the caller sees to it that the object is not stored again meanwhile.
   */
  deleteOlder(key: string, before: number): Promise<boolean> {
    return bounded(OPERATION_MS, async (signal) => {
      const writtenAt = await this.backend.writtenAt(checked(key), signal);
      const isOld = writtenAt !== null && writtenAt < before;
      if (isOld) await this.backend.remove(key, signal);
      return isOld;
    });
  }

  /** Lists the keys of all objects last written before a time; removes abandoned probe objects on the way. */
  async *listOlderThan(before: number): AsyncGenerator<string> {
    try {
      for await (const { name, writtenAt } of this.backend.list()) {
        if (!(writtenAt < before)) continue;
        if (KEY.test(name)) yield name;
        else if (name.startsWith(PROBES)) await this.backend.remove(name);
      }
    } catch (error) {
      throw downFrom(error);
    }
  }

  /** Removes unfinished writes of processes that ended before this time. */
  async dropUnfinished(before: number): Promise<void> {
    await bounded(OPERATION_MS, () => this.backend.dropUnfinished(before));
  }

  /** Writes, reads and deletes a small object within seconds; throws when that fails. */
  async check(): Promise<void> {
    const bytes = Buffer.from(randomUUID());
    await bounded(CHECK_MS, async (signal) => {
      await this.backend.write(this.probe, bytes, signal);
      const read = await this.backend.read(this.probe, signal);
      await this.backend.remove(this.probe, signal);
      if (!read?.equals(bytes)) throw new ObjectStoreDown('it does not keep what it is given');
    });
  }

  async close(): Promise<void> {
    await this.backend.close();
  }
}

function checked(key: string): string {
  if (!KEY.test(key)) throw new Error('this is not a key of the object store');
  return key;
}

/**
 * Limits every operation, so that a dead network disk or a server that does not respond blocks no caller for longer; what
 * is late is aborted.
 */
async function bounded<Result>(limitMs: number, act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  requireNoTransaction('an operation of the object store');
  const aborting = new AbortController();
  const late = (): never => {
    aborting.abort();
    throw new ObjectStoreDown('no answer in time');
  };
  try {
    return await withTimeout(act(aborting.signal), limitMs, late);
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
