import { randomUUID } from 'node:crypto';
import { ApiError } from '@signalbox/contracts';
import { isWhole, KEY, keyOf } from './object-key.js';
import type { Place } from './place.js';

/** Shorter than a transaction may rest, for some wait for an object inside of one. */
const OPERATION_MS = 8000;
const CHECK_MS = 700;
const FRESH_MS = 3_600_000;
const PROBES = '0/';

const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** The store cannot be used at the moment; whoever asked is told to come back. */
class ObjectStoreDown extends ApiError {
  constructor(reason: string) {
    super('unavailable', `the object store cannot be used (${reason})`, { retryAfter: 1 });
  }
}

/** Big things of companies by the hash of their content. Write the object before the row that names it. */
export class ObjectStore {
  /** Where this process writes to see whether it can; no company has the number 0. */
  private readonly probe = `${PROBES}${randomUUID()}`;

  constructor(private readonly place: Place) {}

  /** Stores the bytes and answers their key; the same bytes of a company are one object. */
  async put(companyId: number, bytes: Uint8Array): Promise<string> {
    if (bytes.length > MAX_OBJECT_BYTES) throw new ApiError('too_large', 'the object is too large to be stored');
    const key = checked(keyOf(companyId, bytes));
    await bounded(OPERATION_MS, async () => {
      // One that is there but old is written again, so that it does not look forgotten before its row is there.
      const writtenAt = await this.place.writtenAt(key);
      if (writtenAt === null || writtenAt < Date.now() - FRESH_MS) await this.place.write(key, bytes);
    });
    return key;
  }

  /** The bytes under a key, null when there are none; damaged ones are an error. */
  async get(key: string): Promise<Buffer | null> {
    const bytes = await bounded(OPERATION_MS, () => this.place.read(checked(key)));
    if (bytes && !isWhole(key, bytes)) throw new ObjectStoreDown('the object is damaged');
    return bytes;
  }

  async delete(key: string): Promise<void> {
    await bounded(OPERATION_MS, () => this.place.remove(checked(key)));
  }

  /** Deletes an object unless it was written since; answers whether it did. */
  deleteOlder(key: string, before: number): Promise<boolean> {
    return bounded(OPERATION_MS, async () => {
      const writtenAt = await this.place.writtenAt(checked(key));
      if (writtenAt === null || writtenAt >= before) return false;
      await this.place.remove(key);
      return true;
    });
  }

  /** The keys of all objects last written before a time; what checks left behind who died is removed on the way. */
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

  /** Removes what writers left behind who died before this time. */
  async dropUnfinished(before: number): Promise<void> {
    await bounded(OPERATION_MS, () => this.place.dropUnfinished(before));
  }

  /** Writes, reads and deletes a small object, in less than a second; throws when that does not work. */
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

/** Nobody waits longer, whatever a dead network disk or a silent server does. */
async function bounded<Result>(limitMs: number, act: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ObjectStoreDown('no answer in time')), limitMs);
  });
  try {
    return await Promise.race([act(), late]);
  } catch (error) {
    throw downFrom(error);
  } finally {
    clearTimeout(timer);
  }
}

function downFrom(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  // The text of a file system error names paths; its code says enough.
  return new ObjectStoreDown(code ?? message);
}
