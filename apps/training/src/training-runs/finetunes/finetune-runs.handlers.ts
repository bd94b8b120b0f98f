import { BusClient, Serves } from '@signalbox/bus';
import {
  type Batch,
  type CallTo,
  conflict,
  earlierReply,
  type FinetuneCheckpoint,
  type FinetuneEvent,
  finetuneJobs,
  type FinetuneMetric,
  type FinetuneRun,
  finetuneRuns,
  type Handlers,
} from '@signalbox/contracts';
import { filtersOf } from '@signalbox/database';
import { Compositions, Mixes } from '../../compositions/index.js';
import { defaultName } from './finetune-run.js';
import { CHECKPOINTS, EVENTS, METRICS } from './finetune-parts.sql.js';
import { FinetuneRunRows } from './finetune-runs.repository.js';
import { view } from './finetune-runs.sql.js';

type C = typeof finetuneRuns;

@Serves(finetuneRuns)
export class FinetuneRunHandlers implements Handlers<C> {
  constructor(
    private readonly rows: FinetuneRunRows,
    private readonly compositions: Compositions,
    private readonly mixes: Mixes,
    private readonly bus: BusClient,
  ) {}

  listFinetuneRuns({ input, caller }: CallTo<C, 'listFinetuneRuns'>) {
    return this.rows.list(caller.companyId, { ...input, filters: filtersOf(view, input) });
  }

  async createFinetuneRun({ input, caller }: CallTo<C, 'createFinetuneRun'>) {
    const earlier = earlierReply<FinetuneRun>(caller);
    if (earlier) return earlier;
    const { composition_id, base_model, hyperparameters, run_name } = input;
    const composition = await this.compositions.find(caller.companyId, composition_id);
    const named = { model_name: base_model };
    const { provider_id, provider_model } = await this.bus.call(finetuneJobs.endpoints.resolveBaseModel, named, caller);
    if (composition.status !== 'READY')
      throw conflict(`composition ${composition_id} is ${composition.status}, not READY`);
    const { mix } = await this.mixes.of(caller, composition);
    const values = {
      run_name: run_name ?? defaultName(composition.composition_name, Date.now()),
      composition_id,
      intent_group_id: composition.intent_group_id,
      base_model,
      provider_id,
      provider_model,
      hyperparameters,
    };
    return this.rows.create(caller, values, mix);
  }

  getFinetuneRun({ keys }: Batch) {
    return this.rows.read(keys);
  }

  deleteFinetuneRun({ input, caller }: CallTo<C, 'deleteFinetuneRun'>) {
    return this.rows.remove(caller, input.finetune_run_id);
  }

  listFinetuneEvents({ input, caller: { companyId } }: CallTo<C, 'listFinetuneEvents'>) {
    return this.rows.parts<FinetuneEvent>(companyId, input.finetune_run_id, EVENTS, input);
  }

  listFinetuneMetrics({ input, caller: { companyId } }: CallTo<C, 'listFinetuneMetrics'>) {
    return this.rows.parts<FinetuneMetric>(companyId, input.finetune_run_id, METRICS, input);
  }

  listFinetuneCheckpoints({ input, caller: { companyId } }: CallTo<C, 'listFinetuneCheckpoints'>) {
    return this.rows.parts<FinetuneCheckpoint>(companyId, input.finetune_run_id, CHECKPOINTS, input);
  }

  cancelFinetuneRun({ input, caller }: CallTo<C, 'cancelFinetuneRun'>) {
    return this.rows.cancel(caller, input.finetune_run_id);
  }
}
