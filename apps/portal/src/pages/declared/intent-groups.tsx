import type { Intent, IntentGroup, IntentGroupsCreateInput, IntentGroupsUpdateInput } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { configSection } from '../../declared/config-section.js';
import type { Declaration, SectionProps } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Empty } from '../../parts/empty.js';
import { Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';
import { DESCRIPTION, SEARCH } from './fields.js';
import { INTENTS } from './intents.js';

function IntentsOfGroup({ item: { id: intent_group_id } }: SectionProps<IntentGroup>) {
  const { api } = usePortal();
  const [, go] = useLocation();
  return (
    <Rows<Intent>
      label="Intents of the group"
      name={['Intents', { intent_group_id }]}
      columns={INTENTS.columns}
      load={(offset, limit, signal) => api.intentGroups.listIntents({ intent_group_id, offset, limit }, { signal })}
      open={({ application_id, id }) => go(`/applications/${application_id}/intents/${id}`)}
      empty={<Empty title="No application has an intent of this name yet." />}
    />
  );
}

const GROUPS: Declaration<IntentGroup, IntentGroupsCreateInput, Omit<IntentGroupsUpdateInput, 'intent_group_id'>> = {
  title: 'Intent groups',
  noun: 'intent group',
  about: 'Intents of one name form a group, over all applications: sentinels, datasets and tests belong to it.',
  path: () => '/intent-groups',
  idOf: ({ id }) => id,
  nameOf: ({ intent_group_name }) => intent_group_name,
  columns: [
    { title: 'Name', width: '2fr', cell: ({ intent_group_name }) => intent_group_name },
    {
      title: 'Applications',
      width: '110px',
      isNumber: true,
      cell: ({ application_count }) => count(application_count),
    },
    { title: 'Requests', width: '90px', isNumber: true, cell: ({ request_count }) => count(request_count) },
    { title: 'Sentinels', width: '90px', isNumber: true, cell: ({ sentinel_count }) => count(sentinel_count) },
    { title: 'Last activity', width: '120px', cell: ({ last_activity }) => <Time at={last_activity} /> },
  ],
  filters: [SEARCH],
  list: (api, input, _ids, signal) => api.intentGroups.list(input, { signal }),
  get: (api, { id: intent_group_id = 0 }, signal) => api.intentGroups.get({ intent_group_id }, { signal }),
  facts: (item) => [
    ['Applications', count(item.application_count)],
    ['Intents', count(item.intent_count)],
    ['Requests', count(item.request_count)],
    ['Sentinels', count(item.sentinel_count)],
    ['Last activity', <Time at={item.last_activity} />],
    ...(item.description === null ? [] : ([['Description', item.description]] as [string, string][])),
  ],
  make: {
    scope: 'write',
    required: ['intent_group_name'],
    fields: {
      intent_group_name: {
        type: 'string',
        title: 'Name',
        maxLength: 200,
        description: 'Intents of this name will belong to it.',
      },
      description: DESCRIPTION,
    },
    submit: (api, value) => api.intentGroups.create(value),
  },
  edit: {
    scope: 'write',
    fields: { description: DESCRIPTION },
    submit: (api, { id: intent_group_id }, change) => api.intentGroups.update({ intent_group_id, ...change }),
  },
  remove: {
    scope: 'write',
    says: 'A group that still has intents cannot be deleted.',
    act: (api, { id: intent_group_id }) => api.intentGroups.delete({ intent_group_id }),
  },
  sections: {
    Configuration: configSection<IntentGroup>({
      level: 'intent_group',
      load: (api, { id: intent_group_id }, signal) => api.intentGroups.getConfig({ intent_group_id }, { signal }),
      update: (api, { id: intent_group_id }, change) => api.intentGroups.updateConfig({ intent_group_id, ...change }),
    }),
    Intents: IntentsOfGroup,
  },
};

export const IntentGroups = listPage(GROUPS);
export const IntentGroupPage = detailPage(GROUPS);
