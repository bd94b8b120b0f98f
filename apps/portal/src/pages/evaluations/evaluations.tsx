import type { EvaluationRun, EvaluationsListInput } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { useQueryParams } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { count, money, percent } from '../../rules/formats.js';
import { NewEvaluation } from './new-evaluation.js';

const COLUMNS: Column<EvaluationRun>[] = [
  { title: 'Evaluation', width: '2fr', cell: ({ id, name }) => name ?? `evaluation ${id}` },
  { title: 'State', width: '130px', cell: ({ status }) => <Lamp state={status} /> },
  {
    title: 'Judged',
    width: '140px',
    isNumber: true,
    cell: ({ evaluated_requests, total_requests }) => `${count(evaluated_requests)} of ${count(total_requests)}`,
  },
  { title: 'Passed', width: '80px', isNumber: true, cell: ({ pass_rate }) => percent(pass_rate) },
  { title: 'Faults', width: '80px', isNumber: true, cell: ({ fault_count }) => count(fault_count) },
  { title: 'Errors', width: '80px', isNumber: true, cell: ({ error_count }) => count(error_count) },
  { title: 'Cost', width: '90px', isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'Made', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];
const STATES = ['PENDING', 'RUNNING', 'DONE', 'ERROR', 'CANCELLED'];

export function Evaluations() {
  const { api, can } = usePortal();
  const [, go] = useLocation();
  const [params, change] = useQueryParams();
  const status = params.get('status') ?? '';
  const sentinel = params.get('new');
  const filters: EvaluationsListInput = STATES.includes(status) ? { status: status as 'DONE' } : {};
  return (
    <div class="page">
      <div class="head">
        <h1>Evaluations</h1>
        <button class="primary" aria-disabled={!can('invoke')} onClick={() => can('invoke') && change({ new: 'any' })}>
          New evaluation
        </button>
      </div>
      <div class="bar">
        <Field label="State">
          <select value={status} onChange={({ currentTarget }) => change({ status: currentTarget.value })}>
            <option value="">any</option>
            {STATES.map((state) => (
              <option value={state} key={state}>
                {state.toLowerCase()}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Rows<EvaluationRun>
        label="Evaluations"
        name={['evaluations', filters]}
        columns={COLUMNS}
        live="newest"
        load={(offset, limit, signal) => api.evaluations.list({ ...filters, offset, limit }, { signal })}
        open={({ id }) => go(`/evaluations/${id}`)}
        empty={
          status ? (
            <Empty title="No evaluation is so.">
              <button onClick={() => change({ status: '' })}>Clear the filter</button>
            </Empty>
          ) : (
            <Empty title="Nothing was evaluated yet.">
              <p class="soft">An evaluation judges requests that are recorded already, by sentinels of your choice.</p>
            </Empty>
          )
        }
      />
      {sentinel !== null && can('invoke') && (
        <NewEvaluation
          sentinelId={Number(sentinel) || null}
          close={() => change({ new: '' })}
          made={(id) => go(`/evaluations/${id}`)}
        />
      )}
    </div>
  );
}
