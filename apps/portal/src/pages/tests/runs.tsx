import { useState } from 'preact/hooks';
import type { TestRun, TestRunsListInput } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { count, money, percent } from '../../rules/formats.js';

/** What a run was made against. */
export function consumerName({ consumer_kind, consumer_id, consumer_version }: TestRun): string {
  if (consumer_kind === 'EXTERNAL')
    return consumer_id === null
      ? 'a program elsewhere'
      : `agent ${consumer_id}, elsewhere · ${consumer_version ?? 'no version'}`;
  return `${consumer_kind.toLowerCase()} ${consumer_id ?? ''}${consumer_kind === 'MODEL' ? '' : ` · ${consumer_version ?? 'draft'}`}`;
}

const COLUMNS: Column<TestRun>[] = [
  { title: 'Run', width: '70px', isNumber: true, cell: ({ id }) => id },
  {
    title: 'State',
    width: '120px',
    cell: ({ status, cancelled_at }) => <Lamp state={cancelled_at ? 'CANCELLED' : status} />,
  },
  { title: 'Against', width: '2fr', cell: consumerName },
  { title: 'Name', width: '2fr', cell: ({ name }) => name ?? '–' },
  { title: 'Items', width: '80px', isNumber: true, cell: ({ total_items }) => count(total_items) },
  { title: 'Match', width: '80px', isNumber: true, cell: ({ match_rate }) => percent(match_rate) },
  { title: 'Errors', width: '80px', isNumber: true, cell: ({ failed_items }) => count(failed_items) },
  { title: 'Cost', width: '90px', isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'Made', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

/** Test runs by their filters, newest first. */
export function TestRunRows({ filters }: { filters: TestRunsListInput }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  return (
    <Rows<TestRun>
      label="Test runs"
      name={['test runs', filters]}
      columns={COLUMNS}
      live="newest"
      load={(offset, limit, signal) => api.testRuns.list({ ...filters, offset, limit }, { signal })}
      open={({ id }) => go(`/test-runs/${id}`)}
      empty={<Empty title="Nothing has been tested yet. Open a test set and run it." />}
    />
  );
}

/** All test runs, and the way to compare two of them. */
export function TestRuns() {
  const [, go] = useLocation();
  const [ids, setIds] = useState('');
  const compared = ids.match(/\d+/g) ?? [];
  return (
    <div class="page">
      <div class="head">
        <h1>Test runs</h1>
      </div>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          if (compared.length === 2) go(`/compare?base=${compared[0]}&run=${compared[1]}`);
        }}
      >
        <label>
          <span>Compare two runs of one set, the older first</span>
          <input value={ids} placeholder="12 15" onInput={({ currentTarget }) => setIds(currentTarget.value)} />
        </label>
        <button type="submit" aria-disabled={compared.length !== 2}>
          Compare
        </button>
      </form>
      <TestRunRows filters={{}} />
    </div>
  );
}
