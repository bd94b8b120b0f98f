import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type Composition,
  conflict,
  type Deleted,
  emits,
  type JsonText,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { CompanyRepository, Database, type ListOptions, type Rule, type Tx, filtersOf } from '@signalbox/database';
import { CompositionRow } from './composition.entity.js';
import { FIND_OPEN_RUN, LOCK_DATASETS, COMPOSITIONS_OF_GROUP, COUNT_EXCLUSIONS, view } from './compositions.sql.js';

const TAKEN = { compositions_name: 'a composition of this name exists already' };

type NewComposition = Pick<
  CompositionRow,
  'composition_name' | 'intent_group_id' | 'entries' | 'validation_split' | 'seed' | 'exclude_test_set_ids'
> & { description?: string | null };

/** SQL: datasets are locked as a list, and found in the entries of all compositions. */
@Injectable()
export class Compositions extends CompanyRepository<CompositionRow, Composition> {
  constructor(db: Database) {
    super(db, { entity: CompositionRow, view, type: 'composition', uniqueViolations: TAKEN });
  }

  /** Throws 404. */
  async find(companyId: number, id: number): Promise<Composition> {
    return JSON.parse((await this.get(companyId, id)).text) as Composition;
  }

  add(caller: Caller, values: NewComposition): Promise<JsonText<Composition>> {
    return this.create(caller, values, [emits('composition.created')], (tx) => this.lockDatasets(tx, values.entries));
  }

  /** The datasets of new entries must exist. */
  edit(caller: Caller, id: number, rule: Rule<CompositionRow>): Promise<JsonText<Composition>> {
    return this.change(caller, id, rule, async (tx, _row, { set }) => {
      if (set) await this.requireUnused(tx, id);
      await this.lockDatasets(tx, set?.entries ?? []);
    });
  }

  drop(caller: Caller, id: number): Promise<Deleted> {
    return this.remove(
      caller,
      id,
      () => ({ events: [emits('composition.deleted')] }),
      (tx) => this.requireUnused(tx, id),
    );
  }

  /** Throws 409 while an unfinished finetune run uses the composition. */
  private async requireUnused(tx: Tx, id: number): Promise<void> {
    const [run] = await tx.query<{ no: number; status: string }>(FIND_OPEN_RUN, [tx.companyId, id]);
    if (run) throw conflict(`composition ${id} is used by finetune run ${run.no}, which is ${run.status}`);
  }

  listOfGroup(companyId: number, groupId: number, query: ListOptions): Promise<JsonText<Page<Composition>>> {
    return this.list(companyId, { ...query, filters: filtersOf(view, { intent_group_id: groupId }) });
  }

  /** Keeps the datasets unchanged until the transaction ends; throws 404 when one does not exist. */
  async lockDatasets(tx: Tx, entries: readonly { dataset_id: number }[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = await tx.query(LOCK_DATASETS, [tx.companyId, entries.map(({ dataset_id }) => dataset_id)]);
    if (rows.length < entries.length) throw notFound('dataset');
  }

  /** `ids` are the first 20, `total` counts all. */
  async ofGroup(companyId: number, groupId: number): Promise<{ ids: number[]; total: number }> {
    const [found] = await this.db.select<{ ids: number[] | null; total: number }>(companyId, COMPOSITIONS_OF_GROUP, [
      groupId,
    ]);
    return { ids: found?.ids ?? [], total: found?.total ?? 0 };
  }

  async countExclusions(companyId: number, id: number, exclusions: Record<string, number>): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) =>
      tx.query(COUNT_EXCLUSIONS, [tx.companyId, id, JSON.stringify(exclusions)]),
    );
  }
}
