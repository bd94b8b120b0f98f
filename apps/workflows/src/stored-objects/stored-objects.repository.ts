import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { Database, ObjectDeletions } from '@signalbox/database';
import { ObjectStore } from '@signalbox/objects';
import { BEGIN_SWEEP } from './stored-objects.sql.js';

const WAIT_MS = 200;
/** Longer than a deletion takes, also one whose process has died. */
const PATIENCE_MS = 40_000;

/** The hashes that no workflow, version, open run or artifact refers to. */
const UNREFERENCED = `SELECT k.key FROM unnest($2::text[]) k(key), LATERAL split_part(k.key, '/', 2) AS hash WHERE
  NOT EXISTS (SELECT 1 FROM workflows.artifacts a
    WHERE a.company_id = $1 AND a.sha256 = hash AND a.upload_id IS NULL AND a.deleted_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM workflows.artifact_parts p WHERE p.company_id = $1 AND p.sha256 = hash)
  AND NOT EXISTS (SELECT 1 FROM workflows.workflows w
    WHERE w.company_id = $1 AND w.script_key = k.key AND w.deleted_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM workflows.workflow_versions v JOIN workflows.workflows w
      ON w.company_id = v.company_id AND w.id = v.workflow_id AND w.deleted_at IS NULL
    WHERE v.company_id = $1 AND v.snapshot->>'script_key' = k.key)
  AND NOT EXISTS (SELECT 1 FROM workflows.runs r
    WHERE r.company_id = $1 AND r.completed_at IS NULL AND r.snapshot->>'script_key' = k.key)`;

/**
 * The objects of workflows: scripts and contents of artifacts.
 *
 * SQL: references are compared in sets.
 */
@Injectable()
export class StoredObjects {
  private readonly deletions: ObjectDeletions;

  constructor(
    private readonly db: Database,
    @Inject(ObjectStore) private readonly store: ObjectStore,
  ) {
    this.deletions = new ObjectDeletions(db, UNREFERENCED);
  }

  /** Stores the bytes and returns their key. The object stays for a day even when nothing refers to it. */
  async put(companyId: number, bytes: Uint8Array): Promise<string> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const key = await this.store.put(companyId, bytes);
      if (!(await this.deletions.isUnderWay(companyId, key))) return key;
      if (Date.now() > until) throw new ApiError('unavailable', 'the object is being deleted', { retryAfter: 1 });
      await pause(WAIT_MS);
    }
  }

  /** Returns the bytes under a key, null when there are none. */
  get(key: string): Promise<Buffer | null> {
    return this.store.get(key);
  }

  /** Deletes those of the objects that nothing refers to and that were not stored again after `before`. */
  async collect(companyId: number, keys: readonly string[], before: number): Promise<number> {
    let deleted = 0;
    await this.deletions.delete(companyId, keys, async (key) => {
      if (await this.store.deleteOlder(key, before)) deleted++;
    });
    return deleted;
  }

  /** True when no process has begun a sweep since this time; registers the sweep of this process. */
  async beginSweep(since: number): Promise<boolean> {
    const rows = await this.db.asWorker(BEGIN_SWEEP, [since, Date.now()]);
    return rows.length > 0;
  }
}
