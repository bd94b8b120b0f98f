import { Injectable } from '@nestjs/common';
import { ApiError, invalidField, type Sentinel } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx, type View } from '@signalbox/database';
import { SentinelRow } from './sentinel.entity.js';
import type { AppliedSentinel } from './sentinel.js';

const view: View = {
  resource: 'sentinel',
  table: 'traffic.sentinels',
  columns: [
    'id',
    'sentinel_name',
    'severity',
    'intent_group_id',
    'sentinel_directive',
    'meta',
    'state',
    'date_created',
    'date_updated',
  ],
  search: ['t.sentinel_name'],
  sort: { sentinel_name: 't.sentinel_name', severity: 't.severity' },
  large: ['sentinel_directive', 'meta'],
};

const APPLIED = 't.id, t.sentinel_name, t.severity, t.intent_group_id, t.sentinel_directive, t.meta';

/**
 * Rows of sentinels.
 *
 * SQL: the group of a new sentinel is locked, so that it is not deleted meanwhile; judged groups are found at once.
 */
@Injectable()
export class Sentinels extends CompanyRepository<SentinelRow, Sentinel> {
  constructor(db: Database) {
    super(db, {
      entity: SentinelRow,
      view,
      type: 'sentinel',
      taken: { sentinels_name: 'a sentinel of this name exists already in the intent group' },
    });
  }

  /** 404 when the group does not exist; holds it until the transaction ends. */
  async requireGroup(tx: Tx, id: number): Promise<void> {
    const rows = await tx.query(
      'SELECT 1 FROM traffic.intent_groups WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
      [tx.companyId, id],
    );
    if (rows.length > 0) return;
    const details = [{ field: 'intent_group_id', message: 'does not exist' }];
    throw new ApiError('not_found', 'intent group not found', { details });
  }

  /** 404 when the model that a configuration names does not exist; holds it until the transaction ends. */
  async requireModel(tx: Tx, model: string | null): Promise<void> {
    if (model === null) return;
    const rows = await tx.query(
      'SELECT 1 FROM traffic.models WHERE company_id = $1 AND model_name = $2 AND deleted_at IS NULL FOR SHARE',
      [tx.companyId, model],
    );
    if (rows.length > 0) return;
    const details = [{ field: 'meta.model', message: `names model ${model}, which does not exist` }];
    throw new ApiError('not_found', `model ${model} not found`, { details });
  }

  /** One sentinel; 404 when it does not exist. */
  async one(companyId: number, id: number): Promise<AppliedSentinel> {
    return JSON.parse((await this.get(companyId, id)).text) as Sentinel;
  }

  /** The enabled sentinels of a group. */
  enabledOf(companyId: number, groupId: number): Promise<AppliedSentinel[]> {
    return this.db.select<AppliedSentinel>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${APPLIED} FROM traffic.sentinels t WHERE t.company_id = s.company
         AND t.intent_group_id = $2 AND t.state = 'ENABLED' AND t.deleted_at IS NULL OFFSET 0) x ORDER BY x.id`,
      [groupId],
    );
  }

  /** Those of the groups that have an enabled sentinel. */
  async watchedOf(tx: Tx, groupIds: readonly number[]): Promise<Set<number>> {
    const rows = await tx.query<{ id: number }>(
      `SELECT DISTINCT intent_group_id AS id FROM traffic.sentinels
       WHERE company_id = $1 AND intent_group_id = ANY ($2::int[]) AND state = 'ENABLED' AND deleted_at IS NULL`,
      [tx.companyId, groupIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The sentinels with these ids, in their order; 404 for an unknown one, 400 for one of another group. */
  async named(companyId: number, ids: readonly number[], groupId: number): Promise<AppliedSentinel[]> {
    const rows = await this.db.select<AppliedSentinel>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${APPLIED} FROM traffic.sentinels t
         WHERE t.company_id = s.company AND t.id = ANY ($2::int[]) AND t.deleted_at IS NULL OFFSET 0) x`,
      [ids],
    );
    return ids.map((id) => {
      const found = rows.find((row) => row.id === id);
      const details = [{ field: 'sentinel_ids', message: 'names a sentinel that does not exist' }];
      if (!found) throw new ApiError('not_found', 'sentinel not found', { details });
      if (found.intent_group_id === groupId) return found;
      throw invalidField('sentinel_ids', `names sentinel ${id}, which belongs to another intent group`);
    });
  }
}
