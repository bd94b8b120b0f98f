import { Injectable } from '@nestjs/common';
import { invalidField, notFound, type Sentinel } from '@signalbox/contracts';
import { CompanyRepository, Database, requireFewer, type Tx } from '@signalbox/database';
import { SHARE_ROW } from '../share-row.sql.js';
import { SentinelRow } from './sentinel.entity.js';
import type { AppliedSentinel } from './sentinel.js';
import {
  COUNT_SENTINELS,
  ENABLED_OF_GROUP,
  HOLD_MODEL,
  SENTINELS_BY_IDS,
  view,
  WATCHED_GROUPS,
} from './sentinels.sql.js';

/** Of an intent group: its requests are judged by all of them. */
const MAX_SENTINELS = 200;

/** SQL: the group of a new sentinel is locked, so that it is not deleted meanwhile; judged groups are found at once. */
@Injectable()
export class Sentinels extends CompanyRepository<SentinelRow, Sentinel> {
  constructor(db: Database) {
    super(db, {
      entity: SentinelRow,
      view,
      type: 'sentinel',
      uniqueViolations: { sentinels_name: 'a sentinel of this name exists already in the intent group' },
    });
  }

  /** 404 when the group does not exist; locks it against deletion until the transaction ends. */
  async requireGroup(tx: Tx, id: number): Promise<void> {
    const rows = await tx.query(SHARE_ROW('intent_groups'), [tx.companyId, id]);
    if (rows.length > 0) return;
    const details = [{ field: 'intent_group_id', message: 'does not exist' }];
    throw notFound('intent group', { details });
  }

  /** 409 at the maximum number of sentinels of the group; concurrent calls may exceed it. */
  async requireCapacity(tx: Tx, groupId: number): Promise<void> {
    const message = `an intent group has at most ${MAX_SENTINELS} sentinels`;
    await requireFewer(tx, MAX_SENTINELS, { sql: COUNT_SENTINELS, values: [groupId], message });
  }

  /** 404 when the model does not exist; locks it against deletion until the transaction ends. */
  async requireModel(tx: Tx, model: string | null): Promise<void> {
    if (model === null) return;
    const rows = await tx.query(HOLD_MODEL, [tx.companyId, model]);
    if (rows.length > 0) return;
    const details = [{ field: 'meta.model', message: `names model ${model}, which does not exist` }];
    throw notFound(`model ${model}`, { details });
  }

  async one(companyId: number, id: number): Promise<AppliedSentinel> {
    return JSON.parse((await this.get(companyId, id)).text) as Sentinel;
  }

  enabledOf(companyId: number, groupId: number): Promise<AppliedSentinel[]> {
    return this.db.select<AppliedSentinel>(companyId, ENABLED_OF_GROUP, [groupId]);
  }

  async watchedOf(tx: Tx, groupIds: readonly number[]): Promise<Set<number>> {
    const rows = await tx.query<{ id: number }>(WATCHED_GROUPS, [tx.companyId, groupIds]);
    return new Set(rows.map(({ id }) => id));
  }

  /** In the order of the ids; 404 for an unknown one, 400 for one of another group. */
  async named(companyId: number, ids: readonly number[], groupId: number): Promise<AppliedSentinel[]> {
    const rows = await this.db.select<AppliedSentinel>(companyId, SENTINELS_BY_IDS, [ids]);
    return ids.map((id) => {
      const found = rows.find((row) => row.id === id);
      const details = [{ field: 'sentinel_ids', message: 'names a sentinel that does not exist' }];
      if (!found) throw notFound('sentinel', { details });
      if (found.intent_group_id === groupId) return found;
      throw invalidField('sentinel_ids', `names sentinel ${id}, which belongs to another intent group`);
    });
  }
}
