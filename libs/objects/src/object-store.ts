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

class ObjectStoreDown extends ApiError {
  constructor(reason: string) {
    super('unavailable', `the object store cannot be used (${reason})`, { retryAfter: 1 });
  }
}

/** Large values of companies by the hash of their content. Write the object before the row that references it. */
export class ObjectStore {
  /** No company has the number 0. */
  private readonly probe = `${PROBES}${randomUUID()}`;

  constructor(private readonly backend: ObjectBackend) {}

  /** Returns the key; equal bytes of a company are one object. */
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

  /** Null when there is no such object; throws for damaged bytes. */
  async get(key: string): Promise<Buffer | null> {
    const bytes = await bounded(OPERATION_MS, (signal) => this.backend.read(checked(key), signal));
    if (bytes && !isWhole(key, bytes)) throw new ObjectStoreDown('the object is damaged');
    return bytes;
  }

  async delete(key: string): Promise<void> {
    await bounded(OPERATION_MS, (signal) => this.backend.remove(checked(key), signal));
  }

  /**
   * Returns whether the object was older than `before` and is deleted; one of unknown age stays. Not atomic in the
   * store: the caller ensures that the object is not stored again meanwhile.
   */
  deleteOlder(key: string, before: number): Promise<boolean> {
    return bounded(OPERATION_MS, async (signal) => {
      const writtenAt = await this.backend.writtenAt(checked(key), signal);
      const isOld = writtenAt !== null && writtenAt < before;
      if (isOld) await this.backend.remove(key, signal);
      return isOld;
    });
  }

  /** Keys last written before a time; removes abandoned probe objects on the way. */
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

  async dropUnfinished(before: number): Promise<void> {
    await bounded(OPERATION_MS, () => this.backend.dropUnfinished(before));
  }

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

/** Aborts after the limit, so that a dead network disk or server blocks no caller for longer. */
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
  // The message of a file system error contains paths.
  return new ObjectStoreDown(code ?? message);
}
