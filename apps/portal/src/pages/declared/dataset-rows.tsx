import { useState } from 'preact/hooks';
import type { Dataset, ListedDatasetRequest, TrainingMessage } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import type { SectionProps } from '../../declared/declaration.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Failure } from '../../parts/failure.js';
import { FilterBar } from '../../parts/filters/filter-bar.js';
import { focusOf } from '../../parts/focus.js';
import { Loaded } from '../../parts/loaded.js';
import { Messages, textOf } from '../../parts/messages.js';
import { useQueryParams } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { ScopedButton } from '../../parts/scoped-button.js';
import { Time } from '../../parts/time.js';
import { type Filter, inputOf, setFilters } from '../../rules/filters.js';
import { oneLine } from '../../rules/formats.js';

const SOURCES = ['REQUEST', 'UPLOAD', 'MANUAL', 'AUGMENTED'] as const;
const FILTERS: Filter[] = [
  { name: 'text', label: 'Text', kind: 'text', isMain: true },
  { name: 'source', label: 'From', kind: 'choice', values: SOURCES, isMain: true },
  { name: 'is_corrected', label: 'Corrected', kind: 'choice', values: ['true', 'false'], isMain: true },
];
const ORDERS = [
  ['-id', 'newest'],
  ['id', 'oldest'],
] as const;

const askedIn = (messages: readonly TrainingMessage[] | null): string => {
  const asked = messages?.findLast(({ role }) => role === 'user');
  return messages === null ? 'long' : oneLine(textOf(asked?.content), 200);
};

const COLUMNS: Column<ListedDatasetRequest>[] = [
  { title: 'From', width: '100px', cell: ({ source }) => source.toLowerCase() },
  { title: 'Asked', width: 'minmax(140px, 2fr)', cell: ({ messages }) => askedIn(messages) },
  {
    title: 'Answered',
    width: 'minmax(140px, 2fr)',
    cell: ({ response }) => (response === null ? 'long' : oneLine(textOf(response.content), 200)),
  },
  { title: 'Corrected', width: '90px', cell: ({ is_corrected }) => (is_corrected ? 'yes' : 'no') },
  { title: 'Added', width: '110px', cell: ({ date_added }) => <Time at={date_added} /> },
];

export function DatasetRows({ item: { id: dataset_id, status }, changed }: SectionProps<Dataset>) {
  const { api } = usePortal();
  const [params] = useQueryParams();
  const [opened, setOpened] = useState<ListedDatasetRequest | null>(null);
  const sort = params.get('sort');
  const input = { ...inputOf(FILTERS, params, 0), ...(sort === null ? {} : { sort }) };
  return (
    <>
      <FilterBar filters={FILTERS} orders={ORDERS} hasSpan={false} />
      <Rows<ListedDatasetRequest>
        label="Rows"
        name={['dataset rows', dataset_id, input]}
        columns={COLUMNS}
        load={(offset, limit, signal) =>
          api.datasets.searchAddedRequests({ dataset_id, ...input, offset, limit }, { signal })
        }
        open={setOpened}
        empty={
          setFilters(FILTERS, params).length > 0 ? (
            <Empty title="No row matches." />
          ) : (
            <Empty title="The dataset is empty.">
              <Link href={`/datasets/${dataset_id}?tab=Add`}>Add rows</Link>
            </Empty>
          )
        }
      />
      {opened && <Row row={opened} isLocked={status === 'ARCHIVED'} changed={changed} close={() => setOpened(null)} />}
    </>
  );
}

function Row({
  row,
  isLocked,
  changed,
  close,
}: {
  row: ListedDatasetRequest;
  isLocked: boolean;
  changed: () => void;
  close: () => void;
}) {
  const { api, say } = usePortal();
  const cache = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [asks, setAsks] = useState(false);
  const ids = { dataset_id: row.dataset_id, dataset_request_id: row.id };
  async function remove(): Promise<void> {
    try {
      await api.datasets.deleteRequest(ids);
      await cache.invalidateQueries({ queryKey: ['dataset rows'] });
      say('The row is deleted.');
      changed();
      close();
    } catch (problem) {
      setError(problem);
    }
  }
  return (
    <Dialog title={`Row ${row.id}`} close={close}>
      <Loaded name={['dataset row', row.id]} load={(signal) => api.datasets.getRequest(ids, { signal })}>
        {({ messages, response }) => <Messages messages={[...messages, response]} />}
      </Loaded>
      <Failure error={error} />
      <div class="bar">
        {row.request_id !== null && (
          <Link class="button" href={`/runs/request/${row.request_id}`}>
            Open the recorded request
          </Link>
        )}
        {!isLocked && !asks && (
          <ScopedButton scope="write" kind="danger" act={() => setAsks(true)}>
            Delete the row
          </ScopedButton>
        )}
      </div>
      {asks && (
        <div class="bar" role="group" aria-label="Delete the row?">
          <p>It cannot be brought back, but the recorded request stays.</p>
          <button class="danger" ref={focusOf} onClick={() => void remove()}>
            Delete it for good
          </button>
          <button onClick={() => setAsks(false)}>Keep it</button>
        </div>
      )}
    </Dialog>
  );
}
