import type { RecordedRequest, Tag, TagsCreateInput, TagsUpdateInput } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import type { Declaration, SectionProps } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { count, duration, money } from '../../rules/formats.js';
import { DESCRIPTION, SEARCH } from './fields.js';
import { TagChip } from './tag-chip.js';
import { RulesOfTag } from './tag-rules.js';
import { CHANGED } from './columns.js';

const fields = {
  tag_name: { type: 'string', title: 'Name', maxLength: 200 },
  color: { type: 'string', title: 'Colour', description: 'Such as #4653e0' },
  description: DESCRIPTION,
};

function TaggedRequests({ item: { id: tag_id } }: SectionProps<Tag>) {
  const { api } = usePortal();
  const [, go] = useLocation();
  return (
    <Rows<RecordedRequest>
      label="Requests with the tag"
      name={['Tags', 'requests', tag_id]}
      keyOf={({ request_id }) => request_id}
      columns={[
        {
          title: 'State',
          width: '150px',
          cell: ({ status, failure_class }) => <Lamp state={status} failureClass={failure_class} />,
        },
        { title: 'Model', width: '2fr', cell: ({ model }) => model },
        {
          title: 'Latency',
          width: '80px',
          isNumber: true,
          cell: ({ response_time_ms }) => duration(response_time_ms),
        },
        { title: 'Cost', width: '80px', isNumber: true, cell: ({ usage }) => money(usage.cost) },
        { title: 'At', width: '100px', cell: ({ date_created }) => <Time at={date_created} /> },
      ]}
      load={(offset, limit, signal) => api.tags.listRequests({ tag_id, offset, limit }, { signal })}
      open={({ request_id }) => go(`/runs/request/${request_id}`)}
      empty={<Empty title="No request has this tag yet." />}
    />
  );
}

const TAGS: Declaration<Tag, TagsCreateInput, Omit<TagsUpdateInput, 'tag_id'>> = {
  title: 'Tags',
  noun: 'tag',
  about: 'A tag marks requests, by hand or by rules, so that they can be found, judged and trained with.',
  path: () => '/tags',
  idOf: ({ id }) => id,
  nameOf: ({ tag_name }) => tag_name,
  columns: [
    { title: 'Tag', width: '2fr', cell: ({ tag_name, color }) => <TagChip name={tag_name} color={color} /> },
    { title: 'Description', width: '3fr', cell: ({ description }) => description ?? '–' },
    { title: 'Requests', width: '90px', isNumber: true, cell: ({ request_count }) => count(request_count) },
    CHANGED,
  ],
  filters: [SEARCH],
  list: (api, input, _ids, signal) => api.tags.list(input, { signal }),
  get: (api, { id: tag_id = 0 }, signal) => api.tags.get({ tag_id }, { signal }),
  facts: ({ tag_name, color, description, request_count }) => [
    ['Tag', <TagChip name={tag_name} color={color} />],
    ['Requests', count(request_count)],
    ['Description', description ?? '–'],
  ],
  make: { scope: 'write', required: ['tag_name'], fields, submit: (api, value) => api.tags.create(value) },
  edit: {
    scope: 'write',
    required: ['tag_name'],
    fields,
    submit: (api, { id: tag_id }, change) => api.tags.update({ tag_id, ...change }),
  },
  remove: {
    scope: 'write',
    says: 'It is taken from all requests that have it, and its rules go with it.',
    act: (api, { id: tag_id }) => api.tags.delete({ tag_id }),
  },
  sections: { Requests: TaggedRequests, Rules: RulesOfTag },
};

export const Tags = listPage(TAGS);
export const TagPage = detailPage(TAGS);
