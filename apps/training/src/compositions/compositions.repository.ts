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
import { CompanyRepository, Database, type ListOptions, type Rule, type Tx, type View } from '@signalbox/database';
import { CompositionRow } from './composition.entity.js';

const ENTRIES = `jsonb_to_recordset(t.entries) e(dataset_id int, weight numeric, max_requests int)
  JOIN training.datasets d ON d.company_id = t.company_id AND d.id = e.dataset_id AND d.deleted_at IS NULL`;
const EXCLUDED = `COALESCE((t.exclusions->>e.dataset_id::text)::int, 0)`;

/** The state of a composition over the alias `t`. */
export const COMPOSITION_STATUS = `CASE WHEN EXISTS (SELECT 1 FROM ${ENTRIES} WHERE e.weight > 0 AND d.request_count > 0)
  THEN 'READY' ELSE 'DRAFT' END`;

const view: View = {
  resource: 'composition',
  table: 'training.compositions',
  columns: [
    'id',
    'composition_name',
    'description',
    'intent_group_id',
    'entries',
    'validation_split',
    'seed',
    'exclude_test_set_ids',
    'date_created',
    'date_updated',
  ],
  computed: {
    status: COMPOSITION_STATUS,
    request_count: `(SELECT COALESCE(sum(LEAST(e.max_requests, ceil(GREATEST(d.request_count - ${EXCLUDED}, 0) * e.weight))), 0)::int
      FROM ${ENTRIES})`,
  },
  search: ['t.composition_name', 't.description'],
  sort: { composition_name: 't.composition_name' },
};

const TAKEN = { compositions_name: 'a composition of this name exists already' };

type NewComposition = Pick<
  CompositionRow,
  'composition_name' | 'intent_group_id' | 'entries' | 'validation_split' | 'seed' | 'exclude_test_set_ids'
> & { description?: string | null };

/**
 * Rows of compositions.
 *
 * SQL: datasets are locked as a list, and found in the entries of all compositions.
 */
@Injectable()
export class Compositions extends CompanyRepository<CompositionRow, Composition> {
  constructor(db: Database) {
    super(db, { entity: CompositionRow, view, type: 'composition', taken: TAKEN });
  }

  /** A composition; 404 when it does not exist in the company. */
  async find(companyId: number, id: number): Promise<Composition> {
    return JSON.parse((await this.get(companyId, id)).text) as Composition;
  }

  add(caller: Caller, values: NewComposition): Promise<JsonText<Composition>> {
    return this.create(caller, values, [emits('composition.created')], (tx) => this.lockDatasets(tx, values.entries));
  }

  /** Changes a composition; the datasets of its new entries have to exist. */
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

  /** 409 while an unfinished finetune run uses the composition. */
  private async requireUnused(tx: Tx, id: number): Promise<void> {
    const [run] = await tx.query<{ no: number; status: string }>(
      `SELECT no, status FROM training.finetune_runs WHERE company_id = $1 AND composition_id = $2 AND completed_at IS NULL
       LIMIT 1`,
      [tx.companyId, id],
    );
    if (run) throw conflict(`composition ${id} is used by finetune run ${run.no}, which is ${run.status}`);
  }

  listOfGroup(companyId: number, groupId: number, query: ListOptions): Promise<JsonText<Page<Composition>>> {
    return this.list(companyId, { ...query, filters: [{ sql: 't.intent_group_id = ?', value: groupId }] });
  }

  /** Keeps datasets from being changed until the transaction ends; 404 when one does not exist. */
  async lockDatasets(tx: Tx, entries: readonly { dataset_id: number }[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = await tx.query(
      `SELECT 1 FROM training.datasets WHERE company_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL
       ORDER BY id FOR SHARE`,
      [tx.companyId, entries.map(({ dataset_id }) => dataset_id)],
    );
    if (rows.length < entries.length) throw notFound('dataset');
  }

  /** The first compositions of an intent group and their number. */
  async ofGroup(companyId: number, groupId: number): Promise<{ ids: number[]; total: number }> {
    const [found] = await this.db.select<{ ids: number[] | null; total: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT (array_agg(t.id ORDER BY t.id))[1:20] AS ids, count(*)::int AS total
         FROM training.compositions t WHERE t.company_id = s.company AND t.intent_group_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [groupId],
    );
    return { ids: found?.ids ?? [], total: found?.total ?? 0 };
  }

  /** Keeps how many rows of each dataset were excluded when they were counted. */
  async countExclusions(companyId: number, id: number, exclusions: Record<string, number>): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) =>
      tx.query(
        `UPDATE training.compositions SET exclusions = $3 WHERE company_id = $1 AND id = $2 AND exclusions <> $3::jsonb`,
        [tx.companyId, id, JSON.stringify(exclusions)],
      ),
    );
  }
}
