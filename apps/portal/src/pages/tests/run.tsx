import { useState } from 'preact/hooks';
import type { RunItemSummary, TestRun } from '@signalbox/sdk';
import { Link, useLocation, useParams } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Failure } from '../../parts/failure.js';
import { Field } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { Question } from '../../parts/question.js';
import { type Column, Rows } from '../../parts/rows.js';
import { count, duration, money, oneLine, percent } from '../../rules/formats.js';
import { answerText } from '../../rules/verdict.js';
import { RunAgain } from './run-again.js';
import { RunItemDialog } from './run-item.js';
import { useConsumerName } from './runs.js';

const COLUMNS: Column<RunItemSummary>[] = [
  { title: 'Item', width: '70px', isNumber: true, cell: ({ test_set_item_id }) => test_set_item_id },
  {
    title: 'Outcome',
    width: '150px',
    cell: ({ outcome, status, failure_class }) => (
      <Lamp state={outcome ?? status} failureClass={outcome === 'ERROR' ? failure_class : null} />
    ),
  },
  {
    title: 'Answer',
    width: '3fr',
    cell: ({ actual_output, error_message }) => oneLine(error_message ?? answerText(actual_output)) || '–',
  },
  {
    title: 'Expected',
    width: '3fr',
    cell: ({ expected_output_used }) => oneLine(answerText(expected_output_used)) || '–',
  },
  { title: 'Duration', width: '90px', isNumber: true, cell: ({ duration_ms }) => duration(duration_ms) },
  { title: 'Cost', width: '90px', isNumber: true, cell: ({ cost }) => money(cost) },
];

export function TestRunPage() {
  const { api } = usePortal();
  const id = Number(useParams<{ id: string }>().id);
  return (
    <div class="page">
      <Loaded
        name={['test run', id]}
        load={(signal) => api.testRuns.get({ id }, { signal })}
        pollMs={(run) => (run && isUnderWay(run) ? 1000 : false)}
      >
        {(run, reload) => (
          <>
            <Head run={run} changed={reload} />
            <Summary run={run} />
            <Items run={run} changed={reload} />
          </>
        )}
      </Loaded>
    </div>
  );
}

export const isUnderWay = ({ status, scoring }: TestRun): boolean =>
  status === 'RUNNING' || scoring?.status === 'SCORING';

function Head({ run, changed }: { run: TestRun; changed: () => void }) {
  const { api, can } = usePortal();
  const [, go] = useLocation();
  const [error, setError] = useState<unknown>(null);
  const [asked, setAsked] = useState<'cancel' | 'again' | null>(null);
  const { id } = run;
  const act = (call: Promise<unknown>): void =>
    void call
      .then(() => {
        setError(null);
        changed();
      })
      .catch(setError);
  /** With the newest earlier run of the same set and consumer, whatever its version. */
  async function compare(): Promise<void> {
    const { test_set_id, consumer_kind, consumer_id } = run;
    const consumer = { consumer_kind: [consumer_kind], ...(consumer_id === null ? {} : { consumer_id }) };
    const filters = { test_set_id, ...consumer, status: ['COMPLETED' as const] };
    const { data } = await api.testRuns.list({ ...filters, limit: 100 });
    const base = data.find((each) => each.id < id && each.consumer_id === consumer_id && each.scored_at !== null);
    if (!base) throw new Error('There is no earlier run of this set against the same consumer.');
    go(`/compare?base=${base.id}&run=${id}`);
  }
  return (
    <>
      <div class="head">
        <h1>
          Test run {id}
          {run.name ? `: ${run.name}` : ''}
        </h1>
        {can('invoke') && run.status === 'RUNNING' && (
          <button class="danger" onClick={() => setAsked('cancel')}>
            Cancel
          </button>
        )}
        {can('invoke') && run.status === 'COMPLETED' && run.failed_items > 0 && (
          <button onClick={() => setAsked('again')}>{`Run the ${run.failed_items} errors again`}</button>
        )}
        {can('invoke') && run.status === 'COMPLETED' && (
          <button onClick={() => act(api.testRuns.score({ id }))}>Score again</button>
        )}
        <button onClick={() => void compare().catch(setError)}>Compare with the one before</button>
      </div>
      <Failure error={error} />
      {asked === 'cancel' && (
        <Question
          title={`Cancel test run ${id}?`}
          action="Cancel the run"
          act={async () => {
            await api.testRuns.cancel({ id });
            changed();
          }}
          close={() => setAsked(null)}
        >
          <p>What it has done stays. It cannot be taken back.</p>
        </Question>
      )}
      {asked === 'again' && <RunAgain run={run} close={() => setAsked(null)} started={changed} />}
    </>
  );
}

function Summary({ run }: { run: TestRun }) {
  const consumerName = useConsumerName();
  const sets = useNames('testSets');
  const { status, total_items, completed_items, failed_items, matched_items, match_rate, cost, duration_ms } = run;
  const done = completed_items + failed_items;
  return (
    <div class="strip">
      <Lamp state={run.cancelled_at && status === 'COMPLETED' ? 'CANCELLED' : status} />
      <span>
        <small>Set</small>{' '}
        <Link href={`/test-sets/${run.test_set_id}`}>{sets.get(run.test_set_id) ?? `set ${run.test_set_id}`}</Link>
      </span>
      <span>
        <small>Against</small> <b>{consumerName(run)}</b>
      </span>
      <span role="status">
        <small>Items</small> <b>{`${count(done)} of ${count(total_items)}`}</b>
        {status === 'RUNNING' && <progress value={done} max={Math.max(1, total_items)} aria-label="Items done" />}
      </span>
      <span>
        <small>Match</small> <b>{`${percent(match_rate)} (${count(matched_items)})`}</b>
      </span>
      <span>
        <small>Errors</small> <b>{count(failed_items)}</b>
      </span>
      <span>
        <small>p50 / p95</small> <b>{`${duration(duration_ms?.p50)} / ${duration(duration_ms?.p95)}`}</b>
      </span>
      <span>
        <small>Cost</small> <b>{money(cost)}</b>
      </span>
    </div>
  );
}

function Items({ run, changed }: { run: TestRun; changed: () => void }) {
  const { api } = usePortal();
  const [outcome, setOutcome] = useParam('outcome');
  const [opened, setOpened] = useState<RunItemSummary | null>(null);
  const filters = { id: run.id, ...(outcome ? { outcome: [outcome as 'PASS'] } : {}) };
  return (
    <>
      <div class="bar">
        <Field label="Outcome">
          <select value={outcome} onChange={({ currentTarget }) => setOutcome(currentTarget.value)}>
            <option value="">any</option>
            <option value="FAIL">failed</option>
            <option value="ERROR">not judged: an error</option>
            <option value="PASS">passed</option>
          </select>
        </Field>
      </div>
      <Rows<RunItemSummary>
        label="Items"
        name={['run items', filters, run.scored_at, run.status]}
        columns={COLUMNS}
        {...(isUnderWay(run) ? { live: 'any' } : {})}
        load={(offset, limit, signal) => api.testRuns.listRunItems({ ...filters, offset, limit }, { signal })}
        open={setOpened}
        empty={<Empty title={outcome ? 'No item ended so.' : 'The run has no items.'} />}
      />
      {opened && <RunItemDialog run={run} item={opened} close={() => setOpened(null)} changed={changed} />}
    </>
  );
}
