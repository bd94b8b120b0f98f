import { BusClient, Serves } from '@signalbox/bus';
import {
  type Caller,
  type CallTo,
  conflict,
  finetuneFiles,
  finetuneJobs,
  type Handlers,
  invalidField,
} from '@signalbox/contracts';
import type { CallContext, FinetuneProvider } from '@signalbox/llm';
import { BuiltIns, callContext, ProviderClients, Providers } from '../providers/index.js';
import { CallTargetChanges } from '../call-target-changes/index.js';
import { Models } from '../models/index.js';
import { finetuneFailure } from './finetune-failure.js';
import { FinetunedModels } from './finetuned-models.repository.js';

type C = typeof finetuneJobs;

@Serves(finetuneJobs)
export class FinetuneJobHandlers implements Handlers<C> {
  constructor(
    private readonly models: Models,
    private readonly builtIns: BuiltIns,
    private readonly providers: Providers,
    private readonly clients: ProviderClients,
    private readonly finetuned: FinetunedModels,
    private readonly changes: CallTargetChanges,
    private readonly bus: BusClient,
  ) {}

  async resolveBaseModel({ input: { model_name }, caller: { companyId } }: CallTo<C, 'resolveBaseModel'>) {
    await this.builtIns.ensure(companyId);
    const { provider_id, provider_model, trainable, status } = await this.models.named(companyId, model_name);
    if (!trainable) throw invalidField('base_model', 'must be a trainable model');
    if (status === 'DISABLED') throw conflict(`model ${model_name} is DISABLED`);
    return { provider_id, provider_model };
  }

  uploadTrainingFile({ input, caller }: CallTo<C, 'uploadTrainingFile'>) {
    const { provider_id, run_id, split, bytes, lines } = input;
    return this.call(provider_id, caller, async (provider, context) => {
      const filename = `signalbox-${run_id}-${split}.jsonl`;
      const content = () => this.rowsOf(run_id, split, caller, context.signal);
      return { file_id: await provider.uploadFile({ filename, bytes, lines, content }, context) };
    });
  }

  createFinetuneJob({ input: { provider_id, ...job }, caller }: CallTo<C, 'createFinetuneJob'>) {
    return this.call(provider_id, caller, (provider, context) => provider.createJob(job, context));
  }

  readFinetuneJob({ input: { provider_id, job_id }, caller }: CallTo<C, 'readFinetuneJob'>) {
    return this.call(provider_id, caller, async (provider, context) => {
      // The state is read first: a job that has ended has all its events by then.
      const job = await provider.getJob(job_id, context);
      const [events, checkpoints] = [
        await provider.listEvents(job_id, context),
        await provider.listCheckpoints(job_id, context),
      ];
      return { job, events, checkpoints };
    });
  }

  cancelFinetuneJob({ input: { provider_id, job_id, training_file }, caller }: CallTo<C, 'cancelFinetuneJob'>) {
    return this.call(provider_id, caller, async (provider, context) => {
      const lost = job_id === null && training_file !== null ? await provider.findJob(training_file, context) : null;
      const id = job_id ?? lost?.id;
      if (id === undefined) return { cancelled: false };
      const { status } = await provider.getJob(id, context);
      const isOver = status === 'succeeded' || status === 'failed' || status === 'cancelled';
      if (!isOver) await provider.cancelJob(id, context);
      return { cancelled: !isOver };
    });
  }

  async addFinetunedModel({ input, caller }: CallTo<C, 'addFinetunedModel'>) {
    const model = await this.finetuned.add(caller, input);
    // Look-ups of the model before it existed are cached.
    this.changes.changed(caller.companyId);
    return model;
  }

  private async call<T>(
    providerId: number,
    caller: Caller,
    work: (provider: FinetuneProvider, context: CallContext) => Promise<T>,
  ): Promise<T> {
    try {
      const access = await this.providers.access(caller.companyId, providerId);
      const provider = await this.clients.finetuning(access, caller);
      return await work(provider, callContext(Number.MAX_SAFE_INTEGER, caller.deadline, new AbortController().signal));
    } catch (error) {
      throw finetuneFailure(error);
    }
  }

  private async *rowsOf(run_id: string, split: 'train' | 'validation', caller: Caller, signal: AbortSignal) {
    const { chunks } = await this.bus.stream(
      finetuneFiles.endpoints.readTrainingFile,
      { run_id, split },
      caller,
      signal,
    );
    yield* chunks;
  }
}
