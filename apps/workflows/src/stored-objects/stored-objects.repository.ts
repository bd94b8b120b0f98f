import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { Database, ObjectDeletions } from '@signalbox/database';
import { ObjectStore } from '@signalbox/objects';
import { BEGIN_SWEEP, UNREFERENCED } from './stored-objects.sql.js';

const WAIT_MS = 200;
/** Longer than any deletion, even of a process that died. */
const DELETION_WAIT_MS = 40_000;

/** Scripts and contents of artifacts. SQL: references are compared in sets. */
@Injectable()
export class StoredObjects {
  private readonly deletions: ObjectDeletions;

  constructor(
    private readonly db: Database,
    @Inject(ObjectStore) private readonly store: ObjectStore,
  ) {
    this.deletions = new ObjectDeletions(db, UNREFERENCED);
  }

  /** Returns the key. The object stays for a day even when nothing refers to it. */
  async put(companyId: number, bytes: Uint8Array): Promise<string> {
    const until = Date.now() + DELETION_WAIT_MS;
    for (;;) {
      const key = await this.store.put(companyId, bytes);
      if (!(await this.deletions.isUnderWay(companyId, key))) return key;
      if (Date.now() > until) throw new ApiError('unavailable', 'the object is being deleted', { retryAfter: 1 });
      await pause(WAIT_MS);
    }
  }

  get(key: string): Promise<Buffer | null> {
    return this.store.get(key);
  }

  /** Deletes objects that nothing refers to and that were not stored again after `before`; returns their number. */
  async collect(companyId: number, keys: readonly string[], before: number): Promise<number> {
    let deleted = 0;
    await this.deletions.delete(companyId, keys, async (key) => {
      if (await this.store.deleteOlder(key, before)) deleted++;
    });
    return deleted;
  }

  /** Registers the sweep of this process unless another one began since this time. */
  async beginSweep(since: number): Promise<boolean> {
    const rows = await this.db.asWorker(BEGIN_SWEEP, [since, Date.now()]);
    return rows.length > 0;
  }
}
