import type { Intent, IntentsCreateInput, IntentsUpdateInput } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { configSection } from '../../declared/config-section.js';
import type { Declaration } from '../../declared/declaration.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';
import { DESCRIPTION, SEARCH } from './fields.js';

const fields = {
  description: DESCRIPTION,
  prompt: { type: 'string', title: 'Prompt', format: 'textarea' },
  agent_id: { type: 'integer', title: 'Agent', description: 'Answers the calls that name no model.' },
};
const ids = ({ application_id, id: intent_id }: Intent) => ({ application_id, intent_id });

export const INTENTS: Declaration<
  Intent,
  Omit<IntentsCreateInput, 'application_id'>,
  Omit<IntentsUpdateInput, 'application_id' | 'intent_id'>
> = {
  title: 'Intents',
  noun: 'intent',
  about: 'An intent is what a call is about, such as answering or sorting; it has a configuration of its own.',
  path: ({ application = 0 }) => `/applications/${application}/intents`,
  listedAt: ({ application = 0 }) => `/applications/${application}?tab=Intents`,
  idOf: ({ id }) => id,
  nameOf: ({ action_type }) => action_type,
  columns: [
    { title: 'Intent', width: '2fr', cell: ({ action_type }) => action_type },
    { title: 'Description', width: '3fr', cell: ({ description }) => description ?? '–' },
    { title: 'Requests', width: '90px', isNumber: true, cell: ({ request_count }) => count(request_count) },
    { title: 'Last activity', width: '120px', cell: ({ last_activity }) => <Time at={last_activity} /> },
  ],
  filters: [SEARCH],
  list: (api, input, { application: application_id = 0 }, signal) =>
    api.intents.list({ application_id, ...input }, { signal }),
  get: (api, { application: application_id = 0, id: intent_id = 0 }, signal) =>
    api.intents.get({ application_id, intent_id }, { signal }),
  facts: (item) => [
    ['Group', <Link href={`/intent-groups/${item.intent_group_id}`}>{item.action_type}</Link>],
    ['Agent', item.agent_id === null ? '–' : <Link href={`/agents/${item.agent_id}`}>{item.agent_id}</Link>],
    ['Requests', <Link href={`/runs?kind=Requests&intent_id=${item.id}`}>{count(item.request_count)}</Link>],
    ['Last activity', <Time at={item.last_activity} />],
    ...(item.description === null ? [] : ([['Description', item.description]] as [string, string][])),
  ],
  make: {
    scope: 'write',
    required: ['action_type'],
    fields: { action_type: { type: 'string', title: 'Name', maxLength: 200 }, ...fields },
    options: { agent_id: 'hostedAgents' },
    submit: (api, value, { application: application_id = 0 }) => api.intents.create({ application_id, ...value }),
  },
  edit: {
    scope: 'write',
    fields: { ...fields, notifications_enabled: { type: 'boolean', title: 'Send an event for each fault' } },
    options: { agent_id: 'hostedAgents' },
    submit: (api, item, change) => api.intents.update({ ...ids(item), ...change }),
  },
  remove: {
    scope: 'write',
    says: 'Its configuration goes with it. What was recorded stays.',
    act: (api, item) => api.intents.delete(ids(item)),
  },
  sections: {
    Configuration: configSection<Intent>({
      level: 'intent',
      load: (api, item, signal) => api.intents.getConfig(ids(item), { signal }),
      update: (api, item, change) => api.intents.updateConfig({ ...ids(item), ...change }),
      reset: (api, item) => api.intents.resetConfig(ids(item)),
      links: ({ application_id, intent_group_id }) => ({
        application: `/applications/${application_id}`,
        intent_group: `/intent-groups/${intent_group_id}`,
      }),
    }),
  },
};
