import { BusClient, Serves } from '@signalbox/bus';
import {
  type Batch,
  type Caller,
  type CallTo,
  type Chunks,
  type CompositionPreview,
  type CompositionSample,
  compositions,
  type Handlers,
  type JsonText,
  type Composition,
  requestSources,
  type TrainingSplit,
} from '@signalbox/contracts';
import { jsonlFile } from '../files/index.js';
import { Candidates } from './candidates.repository.js';
import { addEntry, changeEntry, removeEntry, updateComposition } from './composition.js';
import { Compositions } from './compositions.repository.js';
import { ExcludedInputs } from './excluded-inputs.js';
import { linesIn, type Mix, sequenceOf } from './mix.js';
import { Mixes } from './mixes.js';

type C = typeof compositions;

const MAX_OVERLAP = 1000;
/** Larger rows are shown without their messages, so that fifty samples fit into one reply. */
const SAMPLE_BYTES = 131_072;

@Serves(compositions)
export class CompositionHandlers implements Handlers<C> {
  constructor(
    private readonly compositions: Compositions,
    private readonly mixes: Mixes,
    private readonly candidates: Candidates,
    private readonly excluded: ExcludedInputs,
    private readonly bus: BusClient,
  ) {}

  listCompositions({ input, caller }: CallTo<C, 'listCompositions'>) {
    return this.compositions.listBy(caller.companyId, input);
  }

  async createComposition({ input, caller }: CallTo<C, 'createComposition'>) {
    const scope = { intent_group_id: input.intent_group_id, application_id: null };
    await this.bus.call(requestSources.endpoints.requireTrainingScope, scope, caller);
    await this.excluded.require(input.exclude_test_set_ids, caller);
    return this.counted(caller, await this.compositions.add(caller, input));
  }

  getComposition({ keys }: Batch) {
    return this.compositions.read(keys);
  }

  async updateComposition({ input: { composition_id, ...change }, caller }: CallTo<C, 'updateComposition'>) {
    await this.excluded.require(change.exclude_test_set_ids ?? [], caller);
    return this.edited(caller, composition_id, () => updateComposition(change));
  }

  deleteComposition({ input, caller }: CallTo<C, 'deleteComposition'>) {
    return this.compositions.drop(caller, input.composition_id);
  }

  addCompositionDataset({ input: { composition_id, ...entry }, caller }: CallTo<C, 'addCompositionDataset'>) {
    return this.edited(caller, composition_id, (row) => addEntry(row, entry));
  }

  updateCompositionDataset({ input, caller }: CallTo<C, 'updateCompositionDataset'>) {
    const { composition_id, dataset_id, ...change } = input;
    return this.edited(caller, composition_id, (row) => changeEntry(row, dataset_id, change));
  }

  removeCompositionDataset({ input, caller }: CallTo<C, 'removeCompositionDataset'>) {
    return this.edited(caller, input.composition_id, (row) => removeEntry(row, input.dataset_id));
  }

  async previewComposition({ input, caller }: CallTo<C, 'previewComposition'>): Promise<CompositionPreview> {
    const composition = await this.compositions.find(caller.companyId, input.composition_id);
    const { mix, excluded } = await this.mixes.of(caller, composition);
    return {
      train_count: linesIn(mix.train),
      validation_count: linesIn(mix.validation),
      excluded_count: excluded.length,
      excluded_overlap: excluded.slice(0, MAX_OVERLAP),
      per_dataset: mix.per_dataset,
      samples: await this.samples(caller.companyId, mix, input.sample_size),
    };
  }

  async exportComposition({ input, caller, signal }: CallTo<C, 'exportComposition'>): Promise<Chunks> {
    const { composition_id, split } = input;
    const composition = await this.compositions.find(caller.companyId, composition_id);
    const { mix } = await this.mixes.of(caller, composition);
    const pages = this.candidates.texts(caller.companyId, sequenceOf(mix[split]));
    return jsonlFile(pages, `composition-${composition_id}-${split}.jsonl`, signal);
  }

  private edited(caller: Caller, id: number, rule: Parameters<Compositions['edit']>[2]) {
    return this.compositions.edit(caller, id, rule).then((reply) => this.counted(caller, reply));
  }

  /** Recounts the exclusions of a changed composition. */
  private async counted(caller: Caller, reply: JsonText<Composition>): Promise<JsonText<Composition>> {
    const composition = JSON.parse(reply.text) as Composition;
    if (composition.exclude_test_set_ids.length === 0) return reply;
    await this.mixes.of(caller, composition);
    return this.compositions.get(caller.companyId, composition.id);
  }

  /** The first rows, those of the training side before those of the validation side. */
  private async samples(companyId: number, { train, validation }: Mix, size: number): Promise<CompositionSample[]> {
    const sides = [...train, ...validation].slice(0, size).map(({ id }) => id);
    const isTrain = new Set(train.map(({ id }) => id));
    const samples: CompositionSample[] = [];
    for await (const page of this.candidates.texts(companyId, sides))
      for (const { id, dataset_id, messages, response, tools, body_bytes } of page) {
        const split: TrainingSplit = isTrain.has(id) ? 'train' : 'validation';
        const isShown = body_bytes <= SAMPLE_BYTES;
        samples.push({
          dataset_request_id: id,
          dataset_id,
          split,
          messages: isShown ? [...(JSON.parse(messages) as []), JSON.parse(response) as never] : null,
          tools: isShown && tools !== null ? (JSON.parse(tools) as unknown[]) : null,
        });
      }
    return samples;
  }
}
