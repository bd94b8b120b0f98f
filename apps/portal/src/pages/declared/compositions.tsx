import type { Composition, CompositionsCreateInput, CompositionsUpdateInput } from '@signalbox/sdk';
import type { Declaration } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Lamp } from '../../parts/lamp.js';
import { Time } from '../../parts/time.js';
import { count, percent } from '../../rules/formats.js';
import { CompositionEntries } from './composition-entries.js';
import { CompositionPreview } from './composition-preview.js';
import { choiceOf, DESCRIPTION, SEARCH } from './fields.js';
import { BY_GROUP, CHANGED, GROUP } from './columns.js';
import { NamedLink } from './name.js';

const fields = {
  composition_name: { type: 'string', title: 'Name', maxLength: 200 },
  description: DESCRIPTION,
  validation_split: {
    type: 'number',
    title: 'Share for validation',
    description: 'Of 0.1, a tenth of the rows validates and is not trained with.',
    minimum: 0,
    default: 0.1,
  },
  seed: { type: 'integer', title: 'Seed', description: 'The same seed selects and splits the same rows.', default: 0 },
  exclude_test_set_ids: {
    type: 'array',
    title: 'Leave out what is in these test sets',
    description: 'A model that is trained with its test answers it by heart.',
  },
};
const options = { intent_group_id: 'intentGroups', exclude_test_set_ids: 'testSets' } as const;

const COMPOSITIONS: Declaration<
  Composition,
  CompositionsCreateInput,
  Omit<CompositionsUpdateInput, 'composition_id'>
> = {
  title: 'Compositions',
  noun: 'composition',
  about: 'A composition mixes datasets by their shares into what a model is trained and validated with.',
  path: () => '/compositions',
  idOf: ({ id }) => id,
  nameOf: ({ composition_name }) => composition_name,
  columns: [
    { title: 'Name', width: '2fr', cell: ({ composition_name }) => composition_name },
    GROUP,
    { title: 'State', width: '110px', cell: ({ status }) => <Lamp state={status} /> },
    { title: 'Datasets', width: '80px', isNumber: true, cell: ({ entries }) => entries.length },
    { title: 'Rows', width: '80px', isNumber: true, cell: ({ request_count }) => count(request_count) },
    CHANGED,
  ],
  filters: [SEARCH, choiceOf('status', 'State', ['DRAFT', 'READY']), BY_GROUP],
  list: (api, input, _ids, signal) => api.compositions.list(input, { signal }),
  get: (api, { id: composition_id = 0 }, signal) => api.compositions.get({ composition_id }, { signal }),
  facts: (item) => [
    ['State', <Lamp state={item.status} />],
    ['Intent group', <NamedLink of="intentGroups" id={item.intent_group_id} />],
    ['Rows', count(item.request_count)],
    ['For validation', percent(item.validation_split)],
    ['Seed', item.seed],
    ['Test sets left out', item.exclude_test_set_ids.length],
    ['Changed', <Time at={item.date_updated} />],
  ],
  make: {
    scope: 'write',
    required: ['composition_name', 'intent_group_id'],
    fields: { ...fields, intent_group_id: { type: 'integer', title: 'Intent group' } },
    options,
    submit: (api, value) => api.compositions.create(value),
  },
  edit: {
    scope: 'write',
    required: ['composition_name', 'validation_split', 'seed'],
    fields,
    options: { exclude_test_set_ids: 'testSets' },
    submit: (api, { id: composition_id }, change) => api.compositions.update({ composition_id, ...change }),
  },
  remove: {
    scope: 'write',
    says: 'Its datasets stay. One that a finetune run is using cannot be deleted.',
    act: (api, { id: composition_id }) => api.compositions.delete({ composition_id }),
  },
  downloads: ({ id }) => [
    ['Export for training', `/compositions/${id}/export?split=train`],
    ['Export for validation', `/compositions/${id}/export?split=validation`],
  ],
  sections: { Datasets: CompositionEntries, Preview: CompositionPreview },
};

export const Compositions = listPage(COMPOSITIONS);
export const CompositionPage = detailPage(COMPOSITIONS);
