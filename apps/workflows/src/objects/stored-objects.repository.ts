import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { ObjectStore } from '@signalbox/objects';

// A share lock to store an object, an exclusive one to delete: no object is deleted while it is stored again.
const lock = (how: '' | '_shared'): string =>
  `SELECT pg_advisory_xact_lock${how}(hashtextextended('workflow objects ' || $1::int, 0))`;

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
 * SQL: advisory locks order writers and sweeps; references are compared in sets.
 */
@Injectable()
export class StoredObjects {
  constructor(
    private readonly db: Database,
    @Inject(ObjectStore) private readonly store: ObjectStore,
  ) {}

  /** Stores the bytes and returns their key. The object stays for a day even when nothing refers to it. */
  put(companyId: number, bytes: Uint8Array): Promise<string> {
    return this.db.withCompany({ companyId }, async (tx) => {
      await tx.query(lock('_shared'), [companyId]);
      return this.store.put(companyId, bytes);
    });
  }

  /** Returns the bytes under a key, null when there are none. */
  get(key: string): Promise<Buffer | null> {
    return this.store.get(key);
  }

  /** Deletes those of the objects that nothing refers to and that were not stored again after `before`. */
  collect(companyId: number, keys: readonly string[], before: number): Promise<number> {
    return this.db.withCompany({ companyId }, async (tx) => {
      await tx.query(lock(''), [companyId]);
      const rows = await tx.query<{ key: string }>(UNREFERENCED, [companyId, keys]);
      const deleted = await Promise.all(rows.map(({ key }) => this.store.deleteOlder(key, before)));
      return deleted.filter(Boolean).length;
    });
  }

  /** True when no process has begun a sweep since this time; registers the sweep of this process. */
  async beginSweep(since: number): Promise<boolean> {
    const rows = await this.db.asWorker(
      'UPDATE workflows.object_sweep SET began_at = $2 WHERE began_at <= $1 RETURNING 1',
      [since, Date.now()],
    );
    return rows.length > 0;
  }
}
