import type { FinetuneRun, FinetuneRunsCreateInput } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import type { Declaration } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Lamp } from '../../parts/lamp.js';
import { Progress } from '../../parts/progress.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';
import { isOpen } from '../../rules/states.js';
import { choiceOf, SEARCH } from './fields.js';
import { Checkpoints, FinetuneEvents } from './finetune-events.js';
import { Losses } from './losses.js';
import { BY_GROUP } from './columns.js';
import { NamedLink } from './name.js';

const POLL_MS = 2000;
const loss = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(3));

const RUNS: Declaration<FinetuneRun, FinetuneRunsCreateInput, never> = {
  title: 'Finetune runs',
  noun: 'finetune run',
  about: 'A finetune run trains a model of a provider with the rows of a composition.',
  path: () => '/finetune-runs',
  idOf: ({ id }) => id,
  nameOf: ({ run_name }) => run_name,
  columns: [
    { title: 'Name', width: '2fr', cell: ({ run_name }) => run_name },
    {
      title: 'State',
      width: '150px',
      cell: ({ status, failure_class }) => <Lamp state={status} failureClass={failure_class} />,
    },
    { title: 'Base model', width: '1fr', cell: ({ base_model }) => base_model },
    { title: 'Rows', width: '80px', isNumber: true, cell: (run) => count(run.training_request_count) },
    { title: 'Loss', width: '80px', isNumber: true, cell: ({ metrics }) => loss(metrics.train_loss) },
    { title: 'Made', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
  ],
  filters: [
    SEARCH,
    choiceOf('status', 'State', ['CREATED', 'VALIDATING', 'QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED']),
    { name: 'composition_id', label: 'Composition', kind: 'names', of: 'compositions', isMain: true },
    BY_GROUP,
  ],
  live: 'newest',
  list: (api, input, _ids, signal) => api.finetuneRuns.list(input, { signal }),
  get: (api, { id: finetune_run_id = 0 }, signal) => api.finetuneRuns.get({ finetune_run_id }, { signal }),
  pollMs: (run) => (run && isOpen(run.status) ? POLL_MS : false),
  note: (run) => (
    <>
      {run.error_message !== null && (
        <p class="why">
          Failed{run.failure_class === null ? '' : ` (${run.failure_class})`}: {run.error_message}
        </p>
      )}
      {isOpen(run.status) && <Progress label="Progress" done={Math.round(run.progress)} total={100} />}
    </>
  ),
  facts: (run) => [
    ['State', <Lamp state={run.status} failureClass={run.failure_class} />],
    ['Base model', run.base_model],
    [
      'Made',
      run.model_id === null ? (
        '–'
      ) : (
        <Link href={`/models/${run.model_id}`}>{run.finetuned_model_name ?? run.model_id}</Link>
      ),
    ],
    ['Composition', <NamedLink of="compositions" id={run.composition_id} />],
    ['Trained with', count(run.training_request_count)],
    ['Validated with', count(run.validation_request_count)],
    ['Loss', loss(run.metrics.train_loss)],
    ['Validation loss', loss(run.metrics.validation_loss)],
    ['Job', run.provider_job_id === null ? '–' : <code>{run.provider_job_id}</code>],
    ['Started', <Time at={run.started_at} />],
    ['Ended', <Time at={run.completed_at} />],
  ],
  make: {
    scope: 'invoke',
    required: ['composition_id', 'base_model'],
    fields: {
      composition_id: { type: 'integer', title: 'Composition' },
      base_model: { type: 'string', title: 'Base model', description: 'One that can be fine-tuned.' },
      run_name: {
        type: 'string',
        title: 'Name',
        description: 'By default the composition and the date.',
        maxLength: 200,
      },
      hyperparameters: {
        type: 'object',
        title: 'How it is trained',
        properties: {
          n_epochs: { type: 'integer', title: 'Epochs', minimum: 1, default: 3 },
          batch_size: { type: 'integer', title: 'Rows at once', minimum: 1 },
          learning_rate_multiplier: { type: 'number', title: 'Learning rate multiplier' },
          seed: { type: 'integer', title: 'Seed' },
        },
      },
    },
    options: {
      composition_id: 'compositions',
      base_model: async (api, signal) =>
        (await api.models.list({ trainable: true, limit: 100 }, { signal }).all()).map(
          ({ model_name, display_name }) => [model_name, display_name] as const,
        ),
    },
    submit: (api, value) => api.finetuneRuns.create(value),
  },
  remove: {
    scope: 'write',
    isShown: ({ status }) => !isOpen(status),
    says: 'Its losses and events go with it. The model that it has made stays.',
    act: (api, { id: finetune_run_id }) => api.finetuneRuns.delete({ finetune_run_id }),
  },
  actions: [
    {
      label: 'Cancel',
      scope: 'invoke',
      isShown: ({ status }) => isOpen(status),
      says: 'It is cancelled at the provider as well. It cannot be taken back.',
      act: (api, { id: finetune_run_id }) => api.finetuneRuns.cancel({ finetune_run_id }),
      said: 'It is cancelled, at the provider as well.',
    },
  ],
  sections: { Losses, Events: FinetuneEvents, Checkpoints },
};

export const FinetuneRuns = listPage(RUNS);
export const FinetuneRunPage = detailPage(RUNS);
