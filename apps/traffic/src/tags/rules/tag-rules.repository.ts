import { Injectable } from '@nestjs/common';
import { ApiError, emission, type TagRule, trafficEvents } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx, type View } from '@signalbox/database';
import type { AppliedRule } from './tag-rule.js';
import { TagRuleRow } from './tag-rule.entity.js';

const view: View = {
  resource: 'tag rule',
  table: 'traffic.tag_rules',
  columns: [
    'id',
    'rule_name',
    'tag_id',
    'application_id',
    'intent_group_id',
    'method',
    'conditions',
    'prompt',
    'apply_to_new',
    'enabled',
    'date_created',
    'date_updated',
  ],
  search: ['t.rule_name', 't.prompt'],
  sort: { rule_name: 't.rule_name' },
  large: ['conditions', 'prompt'],
};

const APPLIED = 't.id, t.tag_id, t.application_id, t.intent_group_id, t.method, t.conditions, t.prompt';

/** The tables of what a rule refers to. */
const REFERENCES = [
  ['tag_id', 'tag', 'traffic.tags'],
  ['application_id', 'application', 'traffic.applications'],
  ['intent_group_id', 'intent group', 'traffic.intent_groups'],
] as const;

/**
 * Rows of tag rules.
 *
 * SQL: references are locked, so that none of them is deleted meanwhile; the rules of a tag are deleted together.
 */
@Injectable()
export class TagRules extends CompanyRepository<TagRuleRow, TagRule> {
  constructor(db: Database) {
    super(db, { entity: TagRuleRow, view, type: 'tag_rule', taken: { tag_rules_name: 'rule_name is taken' } });
  }

  /** 404 when one of the given references does not exist. */
  async requireReferences(
    tx: Tx,
    given: Partial<Pick<TagRule, 'tag_id' | 'application_id' | 'intent_group_id'>>,
  ): Promise<void> {
    for (const [field, resource, table] of REFERENCES) {
      const id = given[field];
      if (id == null) continue;
      const rows = await tx.query(
        `SELECT 1 FROM ${table} WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE`,
        [tx.companyId, id],
      );
      if (rows.length > 0) continue;
      const details = [{ field, message: 'does not exist' }];
      throw new ApiError('not_found', `${resource} not found`, { details });
    }
  }

  /** One rule; 404 when it does not exist. */
  async one(companyId: number, id: number): Promise<AppliedRule> {
    return JSON.parse((await this.get(companyId, id)).text) as TagRule;
  }

  /** The rules that tag new requests of a company. */
  forNewRequests(companyId: number): Promise<AppliedRule[]> {
    return this.db.select<AppliedRule>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${APPLIED} FROM traffic.tag_rules t
         WHERE t.company_id = s.company AND t.enabled AND t.apply_to_new AND t.deleted_at IS NULL OFFSET 0) x ORDER BY x.id`,
    );
  }

  /** The rules with these ids, in the order of the ids; 404 when one does not exist. */
  async applied(tx: Tx, ids: readonly number[]): Promise<AppliedRule[]> {
    const rows = await tx.query<AppliedRule>(
      `SELECT ${APPLIED} FROM traffic.tag_rules t
       WHERE t.company_id = $1 AND t.id = ANY ($2::int[]) AND t.deleted_at IS NULL ORDER BY t.id`,
      [tx.companyId, ids],
    );
    return ids.map((id) => {
      const rule = rows.find((row) => row.id === id);
      if (rule) return rule;
      const details = [{ field: 'rule_ids', message: 'names a tag rule that does not exist' }];
      throw new ApiError('not_found', 'tag rule not found', { details });
    });
  }

  /** Deletes the rules of a tag in the transaction of its deletion. */
  async removeOf(tx: Tx, tagId: number): Promise<void> {
    const rules = await tx.query<{ id: number; before: object }>(
      `UPDATE traffic.tag_rules t SET deleted_at = $3, date_updated = $3
       WHERE t.company_id = $1 AND t.tag_id = $2 AND t.deleted_at IS NULL
       RETURNING t.id, to_jsonb(t) - 'company_id' - 'deleted_at' AS before`,
      [tx.companyId, tagId, Date.now()],
    );
    for (const { id, before } of rules.sort((one, other) => one.id - other.id)) {
      tx.emit(emission(trafficEvents, 'tag_rule.deleted', id, { id }));
      tx.audit({ action: 'delete', resource_type: 'tag_rule', resource_id: String(id), before });
    }
  }
}
