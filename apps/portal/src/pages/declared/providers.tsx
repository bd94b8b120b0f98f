import type { Model, ModelsCreateProviderInput, ModelsUpdateProviderInput, Provider } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import type { Declaration, SectionProps } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { duration } from '../../rules/formats.js';
import { SEARCH, state } from './fields.js';
import { ProviderTest } from './provider-test.js';

const KINDS = { openai_compatible: 'OpenAI-compatible', simulated: 'simulated' };
const fields = {
  provider_name: { type: 'string', title: 'Name', description: 'Small letters, digits, - and _.', maxLength: 64 },
  base_url: { type: 'string', format: 'uri', title: 'Address', description: 'Such as https://api.openai.com/v1' },
  default_headers: { type: 'object', title: 'Headers of each call' },
  timeout_ms: { type: 'integer', title: 'Time limit (ms)', default: 60_000 },
};
const isOwn = ({ built_in }: Provider): boolean => !built_in;
const keyOf = ({ api_key_set, api_key_last4 }: Provider): string =>
  api_key_set ? (api_key_last4 === null ? 'set' : `…${api_key_last4}`) : 'none';

function ModelsOfProvider({ item: { id: provider_id } }: SectionProps<Provider>) {
  const { api } = usePortal();
  const [, go] = useLocation();
  return (
    <Rows<Model>
      label="Models of the provider"
      name={['Models', { provider_id }]}
      columns={[
        { title: 'Model', width: '2fr', cell: ({ model_name }) => model_name },
        { title: 'There', width: '2fr', cell: ({ provider_model }) => provider_model },
        { title: 'State', width: '110px', cell: ({ status }) => <Lamp state={status} /> },
      ]}
      load={(offset, limit, signal) => api.models.list({ provider_id, offset, limit }, { signal })}
      open={({ id }) => go(`/models/${id}`)}
      empty={<Empty title="No model belongs to it yet." />}
    />
  );
}

const PROVIDERS: Declaration<Provider, ModelsCreateProviderInput, Omit<ModelsUpdateProviderInput, 'provider_id'>> = {
  title: 'Providers',
  noun: 'provider',
  about: 'A provider is where models answer: an address and a key.',
  path: () => '/providers',
  idOf: ({ id }) => id,
  nameOf: ({ provider_name }) => provider_name,
  columns: [
    { title: 'Name', width: '2fr', cell: ({ provider_name }) => provider_name },
    { title: 'Kind', width: '150px', cell: ({ kind }) => KINDS[kind] },
    { title: 'Address', width: '3fr', cell: ({ base_url }) => base_url ?? '–' },
    { title: 'Key', width: '90px', cell: (item) => <code>{keyOf(item)}</code> },
    { title: 'State', width: '110px', cell: ({ status }) => <Lamp state={status} /> },
  ],
  filters: [SEARCH],
  list: (api, input, _ids, signal) => api.models.listProviders(input, { signal }),
  get: (api, { id: provider_id = 0 }, signal) => api.models.getProvider({ provider_id }, { signal }),
  facts: (item) => [
    ['State', <Lamp state={item.status} />],
    ['Kind', KINDS[item.kind]],
    ['Address', item.base_url ?? '–'],
    ['Key', <code>{keyOf(item)}</code>],
    ['Time limit', duration(item.timeout_ms)],
    ['Headers', Object.keys(item.default_headers).join(', ') || 'none'],
    ['Changed', <Time at={item.date_updated} />],
  ],
  note: (item) => (item.built_in ? <p class="why calm">It comes with the platform and cannot be changed.</p> : null),
  make: {
    scope: 'admin',
    required: ['provider_name', 'kind'],
    fields: {
      provider_name: fields.provider_name,
      kind: {
        type: 'string',
        enum: Object.keys(KINDS),
        enumNames: Object.values(KINDS),
        title: 'Kind',
        default: 'openai_compatible',
      },
      base_url: fields.base_url,
      api_key: {
        type: 'string',
        format: 'password',
        title: 'Key',
        description: 'Kept sealed; only its end is ever shown.',
      },
      default_headers: fields.default_headers,
      timeout_ms: fields.timeout_ms,
    },
    submit: (api, value) => api.models.createProvider(value),
  },
  edit: {
    scope: 'admin',
    isShown: isOwn,
    required: ['provider_name', 'status'],
    fields: {
      ...fields,
      status: state('State'),
      api_key: {
        type: 'string',
        format: 'password',
        title: 'New key',
        description: 'Left empty, the key stays as it is. Another host needs it again.',
      },
    },
    submit: (api, { id: provider_id }, change) => api.models.updateProvider({ provider_id, ...change }),
  },
  remove: {
    scope: 'admin',
    isShown: isOwn,
    says: 'A provider that still has models cannot be deleted.',
    act: (api, { id: provider_id }) => api.models.deleteProvider({ provider_id }),
  },
  actions: [{ label: 'Test', scope: 'admin', dialog: ProviderTest }],
  sections: { Models: ModelsOfProvider },
};

export const Providers = listPage(PROVIDERS);
export const ProviderPage = detailPage(PROVIDERS);
