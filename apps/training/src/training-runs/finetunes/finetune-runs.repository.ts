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
import { Database, type ListOptions, type Tx, type View, filtersOf } from '@signalbox/database';
import type { Mix } from '../../compositions/index.js';
import { finetuneStates, type RunningFinetune } from './finetune-run.js';
import { FINETUNE_WORK, FinetuneRuns } from './finetune-run-kind.js';
import { FrozenFiles } from './frozen-files.repository.js';
import {
  FIND_ID,
  STORE_EXTENT,
  LOCK_COMPOSITION,
  LOCK_RUN,
  DELETE_RUN,
  DELETE_ROWS,
  COUNT_OPEN_RUNS,
  view,
} from './finetune-runs.sql.js';

export interface NewRun {
  run_name: string;
  composition_id: number;
  intent_group_id: number;
  base_model: string;
  provider_id: number;
  provider_model: string;
  hyperparameters: Hyperparameters;
}

/** SQL: clients know a run by its serial number, the library by its uuid; its composition is locked at creation. */
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

  listOfGroup(companyId: number, groupId: number, options: ListOptions): Promise<JsonText<Page<FinetuneRun>>> {
    return this.list(companyId, { ...options, filters: filtersOf(view, { intent_group_id: groupId }) });
  }

  async parts<T>(companyId: number, no: number, of: View, query: ListOptions): Promise<JsonText<Page<T>>> {
    const { id } = await this.find(companyId, no);
    return this.db.list<T>(of, companyId, { ...query, filters: filtersOf(of, { run_id: id }) });
  }

  /** Freezes the rows that the composition has now; later changes do not affect the run. */
  create(caller: Caller, values: NewRun, mix: Mix): Promise<JsonText<FinetuneRun>> {
    return this.db.withCompany(caller, async (tx) => {
      await this.lockComposition(tx, values.composition_id);
      const id = randomUUID();
      // The frozen rows refer to the run, so it is inserted before its size is known.
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
    await tx.query(STORE_EXTENT, [tx.companyId, id, train.lines, validation.lines, train.bytes, validation.bytes]);
  }

  /** Keeps the composition unchanged until the run that uses it is committed. */
  private async lockComposition(tx: Tx, id: number): Promise<void> {
    const found = await tx.query(LOCK_COMPOSITION, [tx.companyId, id]);
    if (found.length === 0) throw notFound('composition');
  }

  /** Throws 409 for a run that has ended. */
  async cancel(caller: Caller, no: number): Promise<JsonText<FinetuneRun>> {
    const { id } = await this.find(caller.companyId, no);
    return this.runs.cancels.cancel(caller, id, {}, async (tx) => {
      const run = await this.byId(tx, id);
      this.audit(tx, run, 'update');
      return run;
    });
  }

  /** Throws 409 for a run that has not ended. Also deletes the frozen rows; the model stays. */
  remove(caller: Caller, no: number): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      const [row] = await tx.query<RunningFinetune>(LOCK_RUN, [tx.companyId, no]);
      if (!row) throw notFound('finetune run');
      if (!finetuneStates.isTerminal(row.status))
        throw conflict(`finetune run ${no} is ${row.status}: cancel it first`);
      const before = await this.byId(tx, row.id);
      await tx.query(DELETE_RUN, [tx.companyId, row.id]);
      await tx.query(DELETE_ROWS, [tx.companyId, row.id]);
      this.audit(tx, before, 'delete');
      return { id: no, deleted: true };
    });
  }

  async countTraining(companyId: number, model: string): Promise<number> {
    const [found] = await this.db.select<{ runs: number }>(companyId, COUNT_OPEN_RUNS, [model]);
    return found?.runs ?? 0;
  }

  private async find(companyId: number, no: number): Promise<{ id: string }> {
    const [row] = await this.db.select<{ id: string }>(companyId, FIND_ID, [no]);
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
