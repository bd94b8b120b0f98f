import { Injectable } from '@nestjs/common';
import { type Caller, conflict, type Deleted, type IntentGroup, type JsonText, emits } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx } from '@signalbox/database';
import { IntentGroupRow } from './intent-group.entity.js';
import { FIND_MEMBER, LOCK_NAME, MEMBERS, SHARE_GROUP, view } from './intent-groups.sql.js';

/** SQL: an advisory lock orders writers of one name, and a deletion reads intents and sentinels in its transaction. */
@Injectable()
export class IntentGroups extends CompanyRepository<IntentGroupRow, IntentGroup> {
  constructor(db: Database) {
    super(db, {
      entity: IntentGroupRow,
      view,
      type: 'intent_group',
      uniqueViolations: { intent_groups_name: 'intent_group_name is taken' },
    });
  }

  add(caller: Caller, values: Partial<IntentGroupRow> & { intent_group_name: string }): Promise<JsonText<IntentGroup>> {
    const turn = (tx: Tx) => this.turn(tx, values.intent_group_name);
    return this.create(caller, values, [emits('intent_group.created')], turn);
  }

  /** Creates the group when absent, and locks it against deletion until the transaction ends. */
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

  drop(caller: Caller, id: number): Promise<Deleted> {
    return this.remove(
      caller,
      id,
      () => ({ events: [emits('intent_group.deleted')] }),
      async (tx, row) => {
        for (const what of MEMBERS) {
          const found = await tx.query(FIND_MEMBER(what), [tx.companyId, id]);
          if (found.length > 0) throw conflict(`intent group ${row.intent_group_name} has ${what}`);
        }
      },
    );
  }

  private async share(tx: Tx, name: string): Promise<number | null> {
    const [row] = await tx.query<{ id: number }>(SHARE_GROUP, [tx.companyId, name]);
    return row?.id ?? null;
  }

  /** Serialises the creation of groups of the same name, so that none fails. */
  private async turn(tx: Tx, name: string): Promise<void> {
    const turn = `intent group ${tx.companyId} ${name}`;
    await tx.query(LOCK_NAME, [turn]);
  }
}
