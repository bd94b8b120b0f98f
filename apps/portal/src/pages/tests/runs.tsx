import type { TestRun, TestRunsListInput } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { type Column, Rows } from '../../parts/rows.js';
import { useSelection } from '../../parts/rows/selection.js';
import { Time } from '../../parts/time.js';
import { count, money, percent } from '../../rules/formats.js';

export function useConsumerName(): (run: TestRun) => string {
  const agents = useNames('agents');
  const workflows = useNames('workflows');
  return ({ consumer_kind, consumer_id, consumer_version, consumer_config }) => {
    if ('model' in consumer_config) return `model ${consumer_config.model}`;
    if (consumer_id === null) return consumer_kind === 'EXTERNAL' ? 'a program elsewhere' : consumer_kind.toLowerCase();
    const names = consumer_kind === 'WORKFLOW' ? workflows : agents;
    const name = names.get(consumer_id) ?? `${consumer_kind === 'WORKFLOW' ? 'workflow' : 'agent'} ${consumer_id}`;
    return consumer_kind === 'EXTERNAL'
      ? `${name}, elsewhere · ${consumer_version ?? 'no version'}`
      : `${name} · ${consumer_version ?? 'draft'}`;
  };
}

const columnsOf = (consumerName: (run: TestRun) => string, sets: ReadonlyMap<number, string>): Column<TestRun>[] => [
  { title: 'Run', width: '44px', isNumber: true, cell: ({ id }) => id },
  {
    title: 'State',
    width: '120px',
    cell: ({ status, cancelled_at }) => <Lamp state={cancelled_at && status === 'COMPLETED' ? 'CANCELLED' : status} />,
  },
  { title: 'Against', width: '2fr', cell: consumerName },
  { title: 'Set', width: '1.5fr', cell: ({ test_set_id }) => sets.get(test_set_id) ?? `set ${test_set_id}` },
  { title: 'Name', width: '0.7fr', isMinor: true, cell: ({ name }) => name ?? '–' },
  { title: 'Items', width: '50px', isNumber: true, cell: ({ total_items }) => count(total_items) },
  { title: 'Match', width: '64px', isNumber: true, cell: ({ match_rate }) => percent(match_rate) },
  { title: 'Errors', width: '50px', isNumber: true, cell: ({ failed_items }) => count(failed_items) },
  { title: 'Cost', width: '70px', isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'Made', width: '90px', cell: ({ date_created }) => <Time at={date_created} /> },
];

const keyOf = ({ id }: TestRun): string => String(id);

export function TestRunRows({ filters }: { filters: TestRunsListInput }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  const selection = useSelection(keyOf);
  return (
    <Rows<TestRun>
      label="Test runs"
      name={['test runs', filters]}
      columns={columnsOf(useConsumerName(), useNames('testSets'))}
      live="newest"
      load={(offset, limit, signal) => api.testRuns.list({ ...filters, offset, limit }, { signal })}
      open={({ id }) => go(`/test-runs/${id}`)}
      selection={selection}
      actions={selection.chosen.size > 0 && <CompareChosen runs={[...selection.chosen.values()]} />}
      empty={<Empty title="Nothing has been tested yet. Open a test set and run it." />}
    />
  );
}

/** The older run is the base. */
function CompareChosen({ runs }: { runs: TestRun[] }) {
  const [, go] = useLocation();
  const [older, newer, ...more] = runs.toSorted((a, b) => a.id - b.id);
  const isPair = newer !== undefined && more.length === 0 && older?.test_set_id === newer.test_set_id;
  return (
    <>
      <button
        aria-disabled={!isPair}
        onClick={() => isPair && older && go(`/compare?base=${older.id}&run=${newer.id}`)}
      >
        Compare
      </button>
      {!isPair && <span class="soft">Choose two runs of one set.</span>}
    </>
  );
}

export const TestRuns = () => (
  <div class="page">
    <div class="head">
      <h1>Test runs</h1>
    </div>
    <TestRunRows filters={{}} />
  </div>
);
