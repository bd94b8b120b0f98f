import {
  augmentations,
  completions,
  compositions,
  datasetFiles,
  datasetRequests,
  datasets,
  type Endpoint,
  finetuneRuns,
  intentGroups,
  models,
  providers,
} from '@signalbox/contracts';
import type { ConformanceFixtures } from '../../conformance/fixtures.js';
import { FinetuningJobs } from '../../fakes/finetuning-jobs.js';
import { type ModelProvider, startModelProvider } from '../../fakes/model-provider.js';
import { eventually } from '../../platform/platform.js';
import type { CanaryContext } from '../canary-cases.js';
import { onceEncoded } from '../canary-target.js';

const MODEL = 'leaky';
const OVER = ['COMPLETED', 'FAILED', 'CANCELLED'];

/** A provider that returns its key in every error, event and message. */
export class CanaryTraining {
  readonly surprises: string[] = [];
  private provider: ModelProvider | undefined;

  constructor(
    private readonly context: CanaryContext,
    private readonly fixtures: ConformanceFixtures,
    private readonly secrets: { apiKey: string; header: string },
  ) {}

  received(): string {
    return (this.provider?.calls ?? []).flatMap(({ headers }) => Object.values(headers).flat()).join('\n');
  }

  async run(): Promise<void> {
    const failure = Object.values(this.secrets).map(onceEncoded).join(' ');
    const finetuning = new FinetuningJobs({ failure });
    this.provider = await startModelProvider({
      script: () => ({ error: { status: 400, message: failure } }),
      finetuning,
    });
    await this.createModel(this.provider.url);
    await this.send(completions.endpoints.createCompletion, {
      model: MODEL,
      messages: [{ role: 'user', content: 'hi' }],
    });
    const group = await this.fixtures.call(intentGroups.endpoints.createIntentGroup, { intent_group_name: 'canaries' });
    const dataset_id = await this.fill(group.id);
    await this.augment(dataset_id);
    await this.train(dataset_id, group.id);
  }

  async close(): Promise<void> {
    await this.provider?.close();
  }

  private async createModel(base_url: string): Promise<void> {
    const { apiKey: api_key, header } = this.secrets;
    const { id: provider_id } = await this.context.client.get<{ id: number }>(providers.endpoints.createProvider, {
      provider_name: MODEL,
      kind: 'openai_compatible',
      base_url,
      api_key,
      default_headers: { 'x-token': header },
    });
    await this.fixtures.call(models.endpoints.createModel, { model_name: MODEL, provider_id, trainable: true });
    await this.send(providers.endpoints.listProviders, {});
  }

  private async fill(intent_group_id: unknown): Promise<number> {
    const body = { dataset_name: 'canaries', intent_group_id };
    const { id } = await this.fixtures.call(datasets.endpoints.createDataset, body);
    const dataset_id = Number(id);
    const added = await this.send(datasetRequests.endpoints.addDatasetRequestsByFilter, { dataset_id });
    if (!((JSON.parse(added) as { data: { added: number } }).data.added >= 10)) this.surprises.push(`added: ${added}`);
    await this.send(datasetRequests.endpoints.searchAddedRequests, { dataset_id, limit: 100 });
    await this.send(datasetRequests.endpoints.searchAvailableRequests, { dataset_id, limit: 100 });
    await this.send(datasetFiles.endpoints.exportDataset, { dataset_id });
    return dataset_id;
  }

  private async augment(dataset_id: number): Promise<void> {
    const body = { dataset_id, type: 'variation', model: MODEL };
    const made = await this.fixtures.call(augmentations.endpoints.createAugmentation, body);
    const path = { dataset_id, augmentation_id: made.id };
    await this.ended('augmentation', augmentations.endpoints.getAugmentation, path);
    await this.send(augmentations.endpoints.listAugmentations, { dataset_id });
  }

  private async train(dataset_id: number, intent_group_id: unknown): Promise<void> {
    const mix = { composition_name: 'canaries', intent_group_id, entries: [{ dataset_id }] };
    const { id: composition_id } = await this.fixtures.call(compositions.endpoints.createComposition, mix);
    await this.send(compositions.endpoints.previewComposition, { composition_id, sample_size: 50 });
    await this.send(compositions.endpoints.exportComposition, { composition_id });
    const body = { composition_id, base_model: MODEL };
    const run = await this.fixtures.call(finetuneRuns.endpoints.createFinetuneRun, body);
    const path = { finetune_run_id: run.id };
    const { endpoints } = finetuneRuns;
    await this.ended('finetune run', endpoints.getFinetuneRun, path);
    for (const list of [endpoints.listFinetuneEvents, endpoints.listFinetuneMetrics, endpoints.listFinetuneCheckpoints])
      await this.send(list, { ...path, limit: 100 });
  }

  private async ended(what: string, endpoint: Endpoint, path: Record<string, unknown>): Promise<void> {
    const status = await eventually(
      `the ${what} ends`,
      async () => {
        const { data } = JSON.parse(await this.send(endpoint, path)) as { data?: { status: string } };
        return OVER.find((each) => each === data?.status);
      },
      30_000,
    );
    if (status !== 'FAILED') this.surprises.push(`${what}: ${status}`);
  }

  private async send(endpoint: Endpoint, input: Record<string, unknown>): Promise<string> {
    return (await this.context.client.send(endpoint, input)).text;
  }
}
