import type { Dataset, DatasetsCreateInput, DatasetsUpdateInput } from '@signalbox/sdk';
import type { Declaration } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Lamp } from '../../parts/lamp.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';
import { AddRows } from './add-rows.js';
import { Augmentations } from './augmentations.js';
import { DatasetRows } from './dataset-rows.js';
import { choiceOf, DESCRIPTION, SEARCH } from './fields.js';
import { BY_GROUP, CHANGED, GROUP } from './columns.js';
import { NamedLink } from './name.js';

const tags = { type: 'array', items: { type: 'string' }, title: 'Tags', maxItems: 20 };
const isArchived = ({ status }: Dataset): boolean => status === 'ARCHIVED';

const DATASETS: Declaration<Dataset, DatasetsCreateInput, Omit<DatasetsUpdateInput, 'dataset_id'>> = {
  title: 'Datasets',
  noun: 'dataset',
  about: 'A dataset holds conversations that a model is trained with: recorded ones, or your own.',
  path: () => '/datasets',
  idOf: ({ id }) => id,
  nameOf: ({ dataset_name }) => dataset_name,
  columns: [
    { title: 'Name', width: '2fr', cell: ({ dataset_name }) => dataset_name },
    GROUP,
    { title: 'State', width: '110px', cell: ({ status }) => <Lamp state={status} /> },
    { title: 'Rows', width: '80px', isNumber: true, cell: ({ request_count }) => count(request_count) },
    CHANGED,
  ],
  filters: [SEARCH, choiceOf('status', 'State', ['DRAFT', 'READY', 'ARCHIVED']), BY_GROUP],
  list: (api, input, _ids, signal) => api.datasets.list(input, { signal }),
  get: (api, { id: dataset_id = 0 }, signal) => api.datasets.get({ dataset_id }, { signal }),
  note: (item) =>
    isArchived(item) ? (
      <p class="why calm">It is archived: its rows cannot be changed until it is unarchived.</p>
    ) : null,
  facts: (item) => [
    ['State', <Lamp state={item.status} />],
    ['Intent group', <NamedLink of="intentGroups" id={item.intent_group_id} />],
    ['Rows', count(item.request_count)],
    ['Tags', item.tags.join(', ') || '–'],
    ['Changed', <Time at={item.date_updated} />],
    ...(item.description === null ? [] : ([['Description', item.description]] as [string, string][])),
  ],
  make: {
    scope: 'write',
    required: ['dataset_name', 'intent_group_id'],
    fields: {
      dataset_name: { type: 'string', title: 'Name', maxLength: 200 },
      intent_group_id: { type: 'integer', title: 'Intent group' },
      application_id: { type: 'integer', title: 'Application' },
      description: DESCRIPTION,
      tags,
    },
    options: { intent_group_id: 'intentGroups', application_id: 'applications' },
    submit: (api, value) => api.datasets.create(value),
  },
  edit: {
    scope: 'write',
    required: ['dataset_name'],
    isShown: (item) => !isArchived(item),
    fields: { dataset_name: { type: 'string', title: 'Name', maxLength: 200 }, description: DESCRIPTION, tags },
    submit: (api, { id: dataset_id }, change) => api.datasets.update({ dataset_id, ...change }),
  },
  remove: {
    scope: 'write',
    says: 'Its rows go with it. One that is in a composition cannot be deleted.',
    act: (api, { id: dataset_id }) => api.datasets.delete({ dataset_id }),
  },
  actions: [
    {
      label: 'Archive',
      scope: 'write',
      isShown: ({ status }) => status === 'READY',
      act: (api, { id: dataset_id }) => api.datasets.archive({ dataset_id }),
      said: 'It is archived.',
    },
    {
      label: 'Unarchive',
      scope: 'write',
      isShown: isArchived,
      act: (api, { id: dataset_id }) => api.datasets.unarchive({ dataset_id }),
      said: 'It can be changed again.',
    },
  ],
  downloads: ({ id }) => [['Export', `/datasets/${id}/export`]],
  sections: { Rows: DatasetRows, Add: AddRows, Augmentations },
};

export const Datasets = listPage(DATASETS);
export const DatasetPage = detailPage(DATASETS);
