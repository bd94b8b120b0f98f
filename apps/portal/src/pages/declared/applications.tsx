import type { Application, ApplicationsCreateInput, ApplicationsUpdateInput } from '@signalbox/sdk';
import { configSection } from '../../declared/config-section.js';
import type { Declaration } from '../../declared/declaration.js';
import { DeclaredList, FIRST, NewItem } from '../../declared/list.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Lamp } from '../../parts/lamp.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';
import { choiceOf, DESCRIPTION, SEARCH, state } from './fields.js';
import { INTENTS } from './intents.js';

const switches = {
  fault_notifications: { type: 'boolean', title: 'Send an event for each fault that sentinels find' },
  session_summaries: { type: 'boolean', title: 'Summarise sessions after 30 idle minutes' },
};

const APPLICATIONS: Declaration<
  Application,
  ApplicationsCreateInput,
  Omit<ApplicationsUpdateInput, 'application_id'>
> = {
  title: 'Applications',
  noun: 'application',
  about: 'An application is what calls belong to: it gives them a configuration and counts them.',
  path: () => '/applications',
  idOf: ({ id }) => id,
  nameOf: ({ application_name }) => application_name,
  columns: [
    { title: 'Name', width: '2fr', cell: ({ application_name }) => application_name },
    { title: 'State', width: '110px', cell: ({ state: now }) => <Lamp state={now} /> },
    { title: 'Intents', width: '80px', isNumber: true, cell: ({ intent_count }) => count(intent_count) },
    { title: 'Requests', width: '90px', isNumber: true, cell: ({ request_count }) => count(request_count) },
    { title: 'Last activity', width: '120px', cell: ({ last_activity }) => <Time at={last_activity} /> },
  ],
  filters: [SEARCH, choiceOf('state', 'State', ['ENABLED', 'DISABLED'])],
  list: (api, input, _ids, signal) => api.applications.list(input, { signal }),
  get: (api, { id: application_id = 0 }, signal) => api.applications.get({ application_id }, { signal }),
  facts: (item) => [
    ['State', <Lamp state={item.state} />],
    ['Reference name', <code>{item.application_ref_name}</code>],
    ['Intents', count(item.intent_count)],
    ['Requests', count(item.request_count)],
    ['Last activity', <Time at={item.last_activity} />],
    ...(item.description === null ? [] : ([['Description', item.description]] as [string, string][])),
  ],
  make: {
    scope: 'write',
    required: ['application_name'],
    fields: {
      application_name: { type: 'string', title: 'Name', maxLength: 200 },
      application_ref_name: {
        type: 'string',
        title: 'Reference name',
        description: 'What calls name it by; made of the name when it is empty.',
      },
      description: DESCRIPTION,
      ...switches,
    },
    submit: (api, value) => api.applications.create(value),
  },
  edit: {
    scope: 'write',
    required: ['application_name', 'state'],
    fields: {
      application_name: { type: 'string', title: 'Name', maxLength: 200 },
      state: state('State'),
      description: DESCRIPTION,
      ...switches,
    },
    submit: (api, { id: application_id }, change) => api.applications.update({ application_id, ...change }),
  },
  remove: {
    scope: 'write',
    says: 'Its intents and its configuration go with it. What was recorded stays.',
    choice: 'Detach its agents and workflows, if it has any',
    act: (api, { id: application_id }, force) => api.applications.delete({ application_id, force }),
  },
  sections: {
    Configuration: configSection<Application>({
      level: 'application',
      load: (api, { id: application_id }, signal) => api.applications.getConfig({ application_id }, { signal }),
      update: (api, { id: application_id }, change) => api.applications.updateConfig({ application_id, ...change }),
      reset: (api, { id: application_id }) => api.applications.resetConfig({ application_id }),
    }),
    Intents: ({ item: { id: application } }) => (
      <>
        <div>
          <NewItem of={INTENTS} ids={{ application }} />
        </div>
        <DeclaredList
          of={INTENTS}
          ids={{ application }}
          first={<NewItem of={INTENTS} ids={{ application }} label={FIRST} />}
        />
      </>
    ),
  },
};

export const Applications = listPage(APPLICATIONS);
export const ApplicationPage = detailPage(APPLICATIONS);
export const IntentPage = detailPage(INTENTS);
