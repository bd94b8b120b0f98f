import { Injectable } from '@nestjs/common';
import { type Caller, conflict, type Deleted, type IntentGroup, type JsonText, emits } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx, type View } from '@signalbox/database';
import { activityOf } from '../activity/index.js';
import { IntentGroupRow } from './intent-group.entity.js';

const INTENTS = `FROM traffic.intents i
  WHERE i.company_id = t.company_id AND i.intent_group_id = t.id AND i.deleted_at IS NULL`;

const view: View = {
  resource: 'intent group',
  table: 'traffic.intent_groups',
  columns: ['id', 'intent_group_name', 'description', 'config', 'meta', 'date_created', 'date_updated'],
  computed: {
    application_count: `(SELECT count(DISTINCT i.application_id) ${INTENTS})`,
    intent_count: `(SELECT count(*) ${INTENTS})`,
    sentinel_count: `(SELECT count(*) FROM traffic.sentinels i
      WHERE i.company_id = t.company_id AND i.intent_group_id = t.id AND i.deleted_at IS NULL)`,
    ...activityOf('y.intent_group_id = t.id'),
  },
  search: ['t.intent_group_name', 't.description'],
  sort: { intent_group_name: 't.intent_group_name' },
  large: ['config'],
};

/**
 * Rows of intent groups.
 *
 * SQL: an advisory lock orders writers of one name, and a deletion reads intents and sentinels in its transaction.
 */
@Injectable()
export class IntentGroups extends CompanyRepository<IntentGroupRow, IntentGroup> {
  constructor(db: Database) {
    super(db, {
      entity: IntentGroupRow,
      view,
      type: 'intent_group',
      taken: { intent_groups_name: 'intent_group_name is taken' },
    });
  }

  add(caller: Caller, values: Partial<IntentGroupRow> & { intent_group_name: string }): Promise<JsonText<IntentGroup>> {
    const turn = (tx: Tx) => this.turn(tx, values.intent_group_name);
    return this.create(caller, values, [emits('intent_group.created')], turn);
  }

  /** The id of the group of a name, created when absent and locked against deletion until the transaction ends. */
  async ensure(tx: Tx, name: string): Promise<number> {
    const known = await this.share(tx, name);
    if (known !== null) return known;
    await this.turn(tx, name);
    const meanwhile = await this.share(tx, name);
    if (meanwhile !== null) return meanwhile;
    const values = { intent_group_name: name, config: {}, meta: {} };
    const made = await this.createIn(tx, values, [emits('intent_group.created')]);
    return (JSON.parse(made.text) as IntentGroup).id;
  }

  /** Deletes a group without intents and sentinels. */
  drop(caller: Caller, id: number): Promise<Deleted> {
    return this.remove(
      caller,
      id,
      () => ({ events: [emits('intent_group.deleted')] }),
      async (tx, row) => {
        for (const what of ['intents', 'sentinels']) {
          const found = await tx.query(
            `SELECT 1 FROM traffic.${what} WHERE company_id = $1 AND intent_group_id = $2 AND deleted_at IS NULL LIMIT 1`,
            [tx.companyId, id],
          );
          if (found.length > 0) throw conflict(`intent group ${row.intent_group_name} has ${what}`);
        }
      },
    );
  }

  private async share(tx: Tx, name: string): Promise<number | null> {
    const [row] = await tx.query<{ id: number }>(
      `SELECT id FROM traffic.intent_groups WHERE company_id = $1 AND intent_group_name = $2 AND deleted_at IS NULL
       FOR SHARE`,
      [tx.companyId, name],
    );
    return row?.id ?? null;
  }

  /** Serialises the creation of groups of the same name, so that none fails. */
  private async turn(tx: Tx, name: string): Promise<void> {
    const turn = `intent group ${tx.companyId} ${name}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [turn]);
  }
}
