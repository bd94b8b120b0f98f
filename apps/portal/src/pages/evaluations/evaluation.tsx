import { useState } from 'preact/hooks';
import type { EvaluationRun, RequestEvaluationResults } from '@signalbox/sdk';
import { useLocation, useParams } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Fact, Facts } from '../../parts/facts.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { Question } from '../../parts/question.js';
import { type Column, Rows } from '../../parts/rows.js';
import { count, exact, money, oneLine, percent } from '../../rules/formats.js';
import { VerdictFilter } from './sentinel.js';

const isUnderWay = ({ status }: EvaluationRun): boolean => status === 'PENDING' || status === 'RUNNING';

export function EvaluationPage() {
  const { api } = usePortal();
  const evaluation_id = Number(useParams<{ id: string }>().id);
  return (
    <div class="page">
      <Loaded
        name={['evaluation', evaluation_id]}
        load={(signal) => api.evaluations.get({ evaluation_id }, { signal })}
        pollMs={(run) => (run && isUnderWay(run) ? 1000 : false)}
      >
        {(run, reload) => (
          <>
            <Head run={run} changed={reload} />
            <Progress run={run} />
            <Results run={run} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Head({ run, changed }: { run: EvaluationRun; changed: () => void }) {
  const { api, can } = usePortal();
  const [asked, setAsked] = useState<'cancel' | 'again' | null>(null);
  const { id: evaluation_id } = run;
  const allowed = can('invoke');
  const act = (call: Promise<unknown>): Promise<void> => call.then(changed);
  const close = (): void => setAsked(null);
  const classes = Object.entries(run.errors_by_class).map(([name, n]) => `${count(n)} ${name}`);
  return (
    <>
      <div class="head">
        <h1>{run.name ?? `Evaluation ${run.id}`}</h1>
        {isUnderWay(run) ? (
          <button class="danger" aria-disabled={!allowed} onClick={() => allowed && setAsked('cancel')}>
            Cancel
          </button>
        ) : (
          classes.length > 0 && (
            <button aria-disabled={!allowed} onClick={() => allowed && setAsked('again')}>
              {`Judge the errors again (${classes.join(', ')})`}
            </button>
          )
        )}
      </div>
      {asked === 'cancel' && (
        <Question
          title="Cancel this evaluation?"
          action="Cancel the evaluation"
          act={() => act(api.evaluations.cancel({ evaluation_id }))}
          close={close}
        >
          <p>What it has done stays. It cannot be taken back.</p>
        </Question>
      )}
      {asked === 'again' && (
        <Question
          title="Judge the errors again?"
          action="Judge them again"
          act={() => act(api.evaluations.resetFailed({ evaluation_id }))}
          close={close}
        >
          <p>Each is judged anew, and costs what it costs.</p>
        </Question>
      )}
      {run.error_message && <p class="why odd">{run.error_message}</p>}
    </>
  );
}

function Progress({ run }: { run: EvaluationRun }) {
  const { status, evaluated_requests: done, total_requests: total } = run;
  return (
    <Facts>
      <Lamp state={status} />
      <span role="status">
        <small>judged</small> <b>{`${count(done)} of ${count(total)}`}</b>{' '}
        {isUnderWay(run) && <progress value={done} max={Math.max(1, total)} aria-label="Requests judged" />}
      </span>
      <Fact label="passed">{percent(run.pass_rate)}</Fact>
      <Fact label="faults">{count(run.fault_count)}</Fact>
      <Fact label="do not apply">{count(run.na_count)}</Fact>
      <Fact label="errors">{count(run.error_count)}</Fact>
      <Fact label="cost">{money(run.cost)}</Fact>
      <Fact label="of">{`${exact(run.start_date).slice(0, 16)} to ${exact(run.end_date).slice(0, 16)}`}</Fact>
    </Facts>
  );
}

const COLUMNS: Column<RequestEvaluationResults>[] = [
  { title: 'Verdict', width: '130px', cell: ({ status }) => <Lamp state={status} /> },
  {
    title: 'Why',
    width: '3fr',
    cell: ({ status, results }) => {
      const decided = results.find((result) => result.status === status);
      return decided ? `${decided.sentinel_name}: ${oneLine(decided.description)}` : '–';
    },
  },
  { title: 'Request', width: '120px', cell: ({ request_id }) => request_id.slice(0, 8) },
];

function Results({ run }: { run: EvaluationRun }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  const [status, setStatus] = useParam('verdict');
  const filters = { evaluation_id: run.id, ...(status ? { status: status as 'FAULT' } : {}) };
  return (
    <>
      <div class="bar">
        <VerdictFilter value={status} set={setStatus} />
      </div>
      <Rows<RequestEvaluationResults>
        label="Results"
        name={['evaluation results', filters, run.status]}
        columns={COLUMNS}
        {...(isUnderWay(run) ? { live: 'any' as const } : {})}
        keyOf={({ evaluation_request_id }) => evaluation_request_id}
        load={(offset, limit, signal) => api.evaluations.listRunResults({ ...filters, offset, limit }, { signal })}
        open={({ request_id }) => go(`/runs/request/${request_id}`)}
        empty={<Empty title={status ? 'No request was judged so.' : 'No request was judged.'} />}
      />
    </>
  );
}
