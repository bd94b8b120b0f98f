import { Injectable } from '@nestjs/common';
import { emission, notFound, type TagRule, trafficEvents } from '@signalbox/contracts';
import { CompanyRepository, Database, requireFewer, type Tx } from '@signalbox/database';
import { SHARE_ROW } from '../../share-row.sql.js';
import type { AppliedRule } from './tag-rule.js';
import { TagRuleRow } from './tag-rule.entity.js';
import { COUNT_RULES, DELETE_RULES_OF_TAG, RULES_BY_IDS, RULES_FOR_NEW_REQUESTS, view } from './tag-rules.sql.js';

/** Of a company: every recorded request is judged by all of them. */
const MAX_RULES = 200;

const REFERENCES = [
  ['tag_id', 'tag', 'tags'],
  ['application_id', 'application', 'applications'],
  ['intent_group_id', 'intent group', 'intent_groups'],
] as const;

/** SQL: references are locked, so that none of them is deleted meanwhile; the rules of a tag are deleted together. */
@Injectable()
export class TagRules extends CompanyRepository<TagRuleRow, TagRule> {
  constructor(db: Database) {
    super(db, {
      entity: TagRuleRow,
      view,
      type: 'tag_rule',
      uniqueViolations: { tag_rules_name: 'rule_name is taken' },
    });
  }

  /** 409 at the maximum number of rules; concurrent calls may exceed it. */
  async requireCapacity(tx: Tx): Promise<void> {
    await requireFewer(tx, MAX_RULES, {
      sql: COUNT_RULES,
      values: [],
      message: `there are at most ${MAX_RULES} tag rules`,
    });
  }

  /** 404 when one of the given references does not exist; locks them against deletion. */
  async requireReferences(
    tx: Tx,
    given: Partial<Pick<TagRule, 'tag_id' | 'application_id' | 'intent_group_id'>>,
  ): Promise<void> {
    for (const [field, resource, table] of REFERENCES) {
      const id = given[field];
      if (id == null) continue;
      const rows = await tx.query(SHARE_ROW(table), [tx.companyId, id]);
      if (rows.length > 0) continue;
      const details = [{ field, message: 'does not exist' }];
      throw notFound(resource, { details });
    }
  }

  async one(companyId: number, id: number): Promise<AppliedRule> {
    return JSON.parse((await this.get(companyId, id)).text) as TagRule;
  }

  forNewRequests(companyId: number): Promise<AppliedRule[]> {
    return this.db.select<AppliedRule>(companyId, RULES_FOR_NEW_REQUESTS);
  }

  /** In the order of the ids; 404 when one does not exist. */
  async applied(tx: Tx, ids: readonly number[]): Promise<AppliedRule[]> {
    const rows = await tx.query<AppliedRule>(RULES_BY_IDS, [tx.companyId, ids]);
    return ids.map((id) => {
      const rule = rows.find((row) => row.id === id);
      if (rule) return rule;
      const details = [{ field: 'rule_ids', message: 'names a tag rule that does not exist' }];
      throw notFound('tag rule', { details });
    });
  }

  async removeOf(tx: Tx, tagId: number): Promise<void> {
    const rules = await tx.query<{ id: number; before: object }>(DELETE_RULES_OF_TAG, [
      tx.companyId,
      tagId,
      Date.now(),
    ]);
    for (const { id, before } of rules.sort((one, other) => one.id - other.id)) {
      tx.emit(emission(trafficEvents, 'tag_rule.deleted', id, { id }));
      tx.audit({ action: 'delete', resource_type: 'tag_rule', resource_id: String(id), before });
    }
  }
}
