import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type Caller,
  conflict,
  type Deleted,
  type FinetuneRun,
  type Hyperparameters,
  type JsonText,
  type Key,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { Database, type ListOptions, NOW_MS, type Tx, type View } from '@signalbox/database';
import type { Mix } from '../../compositions/index.js';
import { finetuneStates, type RunningFinetune } from './finetune-run.js';
import { FINETUNE_FIELDS, FINETUNE_WORK, FinetuneRuns } from './finetune-run-kind.js';
import { FrozenFiles } from './frozen-files.repository.js';

const view: View = {
  resource: 'finetune run',
  table: 'training.finetune_runs',
  key: 'no',
  columns: [],
  computed: FINETUNE_FIELDS,
  search: ['t.run_name', 't.base_model', 't.finetuned_model_name'],
  sort: {
    run_name: 't.run_name',
    started_at: 't.started_at',
    completed_at: 't.completed_at',
    date_updated: FINETUNE_FIELDS.date_updated ?? '',
  },
};

/** The largest file that a provider takes. */
const MAX_FILE_BYTES = 536_870_912;

/** The values of a new run. */
export interface NewRun {
  run_name: string;
  composition_id: number;
  intent_group_id: number;
  base_model: string;
  provider_id: number;
  provider_model: string;
  hyperparameters: Hyperparameters;
}

/**
 * The rows of finetune runs.
 *
 * SQL: clients know a run by its serial number, the library by its uuid; its composition is locked when it is created.
 */
@Injectable()
export class FinetuneRunRows {
  constructor(
    private readonly db: Database,
    private readonly runs: FinetuneRuns,
    private readonly files: FrozenFiles,
  ) {}

  read(keys: readonly Key[]): Promise<(JsonText<FinetuneRun> | null)[]> {
    return this.db.readMany<FinetuneRun>(view, keys);
  }

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<FinetuneRun>>> {
    return this.db.list<FinetuneRun>(view, companyId, options);
  }

  /** One page of parts of a run, by the view of the parts. */
  async parts<T>(companyId: number, no: number, of: View, query: ListOptions): Promise<JsonText<Page<T>>> {
    const [run] = await this.db.select<{ id: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id FROM training.finetune_runs t
         WHERE t.company_id = s.company AND t.no = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [no],
    );
    if (!run) throw notFound('finetune run');
    return this.db.list<T>(of, companyId, { ...query, filters: [{ sql: 't.run_id = ?', value: run.id }] });
  }

  /** Accepts a run with the rows that its composition has now; later changes of them do not touch it. */
  create(caller: Caller, values: NewRun, mix: Mix): Promise<JsonText<FinetuneRun>> {
    return this.db.withCompany(caller, async (tx) => {
      await this.lockComposition(tx, values.composition_id);
      const id = randomUUID();
      // The rows of a run refer to it, so it is inserted before its extent is known.
      const empty = {
        training_request_count: 0,
        validation_request_count: 0,
        training_bytes: 0,
        validation_bytes: 0,
      };
      const { hyperparameters, ...plain } = values;
      const columns = { status: 'CREATED', ...plain, ...empty, hyperparameters: JSON.stringify(hyperparameters) };
      await this.runs.writes.accept(tx, { id, workKind: FINETUNE_WORK, values: columns });
      await this.freeze(tx, id, mix);
      const run = await this.byId(tx, id);
      this.audit(tx, run, 'create');
      return run;
    });
  }

  private async freeze(tx: Tx, id: string, mix: Mix): Promise<void> {
    const train = await this.files.freeze(tx, id, 'train', mix.train);
    const validation = await this.files.freeze(tx, id, 'validation', mix.validation);
    if (train.lines === 0) throw conflict('the composition has no request to train with');
    const largest = Math.max(train.bytes, validation.bytes);
    if (largest > MAX_FILE_BYTES)
      throw conflict(`the file of the run would have ${largest} bytes, and at most ${MAX_FILE_BYTES} are possible`);
    await tx.query(
      `UPDATE training.finetune_runs SET training_request_count = $3, validation_request_count = $4, training_bytes = $5,
         validation_bytes = $6 WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, train.lines, validation.lines, train.bytes, validation.bytes],
    );
  }

  /** A composition cannot be changed or deleted before the run that uses it is committed. */
  private async lockComposition(tx: Tx, id: number): Promise<void> {
    const found = await tx.query(
      'SELECT 1 FROM training.compositions WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
      [tx.companyId, id],
    );
    if (found.length === 0) throw notFound('composition');
  }

  /** Cancels a run that has not ended. */
  async cancel(caller: Caller, no: number): Promise<JsonText<FinetuneRun>> {
    const { id } = await this.find(caller.companyId, no);
    return this.runs.cancels.cancel(caller, id, {}, async (tx) => {
      const run = await this.byId(tx, id);
      this.audit(tx, run, 'update');
      return run;
    });
  }

  /** Deletes a run that has ended, and the rows that it has frozen; its model stays. */
  remove(caller: Caller, no: number): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      const [row] = await tx.query<RunningFinetune>(
        `SELECT t.id, t.no, t.status FROM training.finetune_runs t
         WHERE t.company_id = $1 AND t.no = $2 AND t.deleted_at IS NULL FOR UPDATE`,
        [tx.companyId, no],
      );
      if (!row) throw notFound('finetune run');
      if (!finetuneStates.isTerminal(row.status))
        throw conflict(`finetune run ${no} is ${row.status}: cancel it first`);
      const before = await this.byId(tx, row.id);
      await tx.query(`UPDATE training.finetune_runs SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND id = $2`, [
        tx.companyId,
        row.id,
      ]);
      await tx.query('DELETE FROM training.finetune_rows WHERE company_id = $1 AND run_id = $2', [
        tx.companyId,
        row.id,
      ]);
      this.audit(tx, before, 'delete');
      return { id: no, deleted: true };
    });
  }

  /** The unfinished runs that train a model. */
  async countTraining(companyId: number, model: string): Promise<number> {
    const [found] = await this.db.select<{ runs: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS runs FROM training.finetune_runs t
         WHERE t.company_id = s.company AND t.base_model = $2 AND t.completed_at IS NULL OFFSET 0) x`,
      [model],
    );
    return found?.runs ?? 0;
  }

  private async find(companyId: number, no: number): Promise<{ id: string }> {
    const [row] = await this.db.select<{ id: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id FROM training.finetune_runs t
         WHERE t.company_id = s.company AND t.no = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [no],
    );
    if (!row) throw notFound('finetune run');
    return row;
  }

  private async byId(tx: Tx, id: string): Promise<JsonText<FinetuneRun>> {
    const run = await tx.read<FinetuneRun>({ ...view, key: 'id', keyType: 'uuid' }, id);
    if (!run) throw notFound('finetune run');
    return run;
  }

  private audit(tx: Tx, { text }: JsonText<FinetuneRun>, action: 'create' | 'update' | 'delete'): void {
    const run = JSON.parse(text) as FinetuneRun;
    const sides = action === 'delete' ? { before: run, after: null } : { before: null, after: run };
    tx.audit({ action, resource_type: 'finetune_run', resource_id: String(run.id), ...sides });
  }
}
