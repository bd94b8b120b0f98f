import type { RecordedRequest } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Lamp } from '../../parts/lamp.js';
import type { Column } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { count, duration, money } from '../../rules/formats.js';
import { valueWords } from '../../rules/origins.js';
import { REQUEST_FILTERS, REQUEST_ORDERS } from './families.js';
import { RequestPeek } from './request-peek.js';
import { RunList } from './run-list.js';

const pathOf = ({ request_id }: { request_id: string }): string => `/runs/request/${request_id}`;

const columnsOf = (applications: ReadonlyMap<number, string>): Column<RecordedRequest>[] => [
  {
    title: 'State',
    width: '150px',
    cell: ({ status, failure_class }) => <Lamp state={status} failureClass={failure_class} />,
  },
  {
    title: 'Model',
    width: 'minmax(120px, 1.2fr)',
    cell: (request) => (
      <Link class="quiet" href={pathOf(request)} tabIndex={-1}>
        {request.model}
        {request.fallback_used && <span class="soft"> fallback</span>}
        {request.is_corrected && <span class="soft"> corrected</span>}
      </Link>
    ),
  },
  {
    title: 'Application',
    isMinor: true,
    width: 'minmax(80px, 1fr)',
    cell: ({ application_id: id }) => (id === null ? '–' : (applications.get(id) ?? `application ${id}`)),
  },
  { title: 'Made by', width: '80px', isMinor: true, cell: ({ origin }) => valueWords(origin) },
  {
    title: 'Verdict',
    width: '110px',
    cell: ({ evaluation_status: verdict }) => (verdict === 'NA' ? '–' : <Lamp state={verdict} />),
  },
  { title: 'Tokens', width: '70px', isMinor: true, isNumber: true, cell: ({ usage }) => count(usage.total_tokens) },
  {
    title: 'Latency',
    width: '80px',
    isMinor: true,
    isNumber: true,
    cell: ({ response_time_ms }) => duration(response_time_ms),
  },
  { title: 'Cost', width: '80px', isMinor: true, isNumber: true, cell: ({ usage }) => money(usage.cost) },
  { title: 'At', width: '100px', cell: ({ date_created }) => <Time at={date_created} /> },
];

export function RequestRows() {
  const { api } = usePortal();
  const applications = useNames('applications');
  return (
    <RunList<RecordedRequest>
      family={{
        label: 'Requests',
        filters: REQUEST_FILTERS,
        orders: REQUEST_ORDERS,
        columns: columnsOf(applications),
        load: (input, signal) => api.requests.list(input, { signal }),
        keyOf: ({ request_id }) => request_id,
        pathOf,
        sourceType: 'REQUEST',
        actions: {
          rerun: ({ request_id }) => api.requests.rerun({ request_id }),
          isOpen: () => false,
        },
        peek: ({ request_id }) => <RequestPeek id={request_id} key={request_id} />,
        empty: 'No model was asked yet. Requests appear with the first chat completion or agent run.',
      }}
    />
  );
}
