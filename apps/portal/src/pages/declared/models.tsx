import type { Model, ModelsCreateInput, ModelsUpdateInput } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import type { Declaration } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Lamp } from '../../parts/lamp.js';
import { count } from '../../rules/formats.js';
import { choiceOf, SEARCH, state } from './fields.js';
import { ModelUsage } from './model-usage.js';
import { ModelTest } from './provider-test.js';

const price = (dollars: number | null): string => (dollars === null ? 'no price' : `$${dollars}`);
const PRICE = {
  ...{ type: 'number', minimum: 0 },
  description: 'Counts from then on: what was recorded before keeps its cost.',
};
const fields = {
  display_name: { type: 'string', title: 'Shown as', maxLength: 200 },
  provider_model: { type: 'string', title: 'Name at the provider', description: 'By default its own name.' },
  context_window: { type: 'integer', title: 'Context window (tokens)', minimum: 1 },
  input_price_per_mtok: { ...PRICE, title: 'Price of a million input tokens ($)' },
  output_price_per_mtok: { ...PRICE, title: 'Price of a million output tokens ($)' },
  supports_tools: { type: 'boolean', title: 'It calls tools', default: true },
  supports_json_schema: { type: 'boolean', title: 'It answers in a JSON schema', default: true },
  trainable: { type: 'boolean', title: 'It can be fine-tuned' },
};
const isOwn = ({ company_owned }: Model): boolean => company_owned;

const MODELS: Declaration<Model, ModelsCreateInput, Omit<ModelsUpdateInput, 'model_id'>> = {
  title: 'Models',
  noun: 'model',
  about: 'A model answers calls by its name; it belongs to a provider.',
  path: () => '/models',
  idOf: ({ id }) => id,
  nameOf: ({ model_name }) => model_name,
  columns: [
    { title: 'Name', width: '2fr', cell: ({ model_name }) => model_name },
    { title: 'Provider', width: '1fr', cell: ({ provider_name }) => provider_name },
    { title: 'State', width: '110px', cell: ({ status }) => <Lamp state={status} /> },
    { title: 'Kind', width: '110px', cell: ({ model_type }) => (model_type === 'BASE' ? 'base' : 'fine-tuned') },
    {
      title: 'Input / M',
      width: '90px',
      isNumber: true,
      cell: ({ input_price_per_mtok }) => price(input_price_per_mtok),
    },
    {
      title: 'Output / M',
      width: '90px',
      isNumber: true,
      cell: ({ output_price_per_mtok }) => price(output_price_per_mtok),
    },
  ],
  filters: [
    SEARCH,
    choiceOf('status', 'State', ['ENABLED', 'DISABLED']),
    choiceOf('model_type', 'Kind', ['BASE', 'FINETUNED']),
    { name: 'provider_id', label: 'Provider', kind: 'names', of: 'providers', isMain: true },
    choiceOf('trainable', 'Can be fine-tuned', ['true', 'false']),
  ],
  list: (api, input, _ids, signal) => api.models.list(input, { signal }),
  get: (api, { id = 0 }, signal) => api.models.get({ model_id: String(id) }, { signal }),
  facts: (item) => [
    ['State', <Lamp state={item.status} />],
    ['Provider', <Link href={`/providers/${item.provider_id}`}>{item.provider_name}</Link>],
    ['Name there', <code>{item.provider_model}</code>],
    ['Context (tokens)', count(item.context_window)],
    ['Million input tokens', price(item.input_price_per_mtok)],
    ['Million output tokens', price(item.output_price_per_mtok)],
    ['Tools', item.supports_tools ? 'yes' : 'no'],
    ['JSON schema', item.supports_json_schema ? 'yes' : 'no'],
    ['Can be fine-tuned', item.trainable ? 'yes' : 'no'],
    ...(item.finetune_run_id === null
      ? []
      : ([['Made by', <Link href={`/finetune-runs/${item.finetune_run_id}`}>run {item.finetune_run_id}</Link>]] as [
          string,
          preact.JSX.Element,
        ][])),
  ],
  note: (item) =>
    item.company_owned ? null : <p class="why calm">It comes with the platform and cannot be changed.</p>,
  make: {
    scope: 'write',
    required: ['model_name', 'provider_id'],
    fields: {
      model_name: { type: 'string', title: 'Name', maxLength: 200 },
      provider_id: { type: 'integer', title: 'Provider' },
      ...fields,
      status: { ...state('State'), default: 'ENABLED' },
    },
    options: { provider_id: 'providers' },
    submit: (api, value) => api.models.create(value),
  },
  edit: {
    scope: 'write',
    fields,
    isShown: isOwn,
    submit: (api, { id: model_id }, change) => api.models.update({ model_id, ...change }),
  },
  remove: {
    scope: 'write',
    isShown: isOwn,
    says: 'Calls that name it are refused from then on. What was recorded stays.',
    act: (api, { id: model_id }) => api.models.delete({ model_id }),
  },
  actions: [
    { label: 'Test', scope: 'admin', dialog: ModelTest },
    {
      label: 'Disable',
      scope: 'write',
      isShown: (item) => isOwn(item) && item.status === 'ENABLED',
      says: 'Calls that name it are refused until it is enabled again.',
      act: (api, { id: model_id }) => api.models.disable({ model_id }),
      said: 'Calls that name it are refused.',
    },
    {
      label: 'Enable',
      scope: 'write',
      isShown: (item) => isOwn(item) && item.status === 'DISABLED',
      act: (api, { id: model_id }) => api.models.enable({ model_id }),
      said: 'It can be called again.',
    },
  ],
  sections: { Usage: ModelUsage },
};

export const Models = listPage(MODELS);
export const ModelPage = detailPage(MODELS);
