import { useState } from 'preact/hooks';
import type { EvaluationCriteria, EvaluationCriteriaListInput } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { useQueryParams } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { METHODS } from '../../rules/criteria.js';
import { CriterionForm } from './criterion-form.js';

const COLUMNS: Column<EvaluationCriteria>[] = [
  { title: 'Name', width: '2fr', cell: ({ name }) => name },
  { title: 'The answer', width: '2fr', cell: ({ method }) => METHODS[method] },
  { title: 'Score', width: '90px', cell: ({ criteria_type }) => (criteria_type === 'BOOLEAN' ? '0 or 1' : '1 to 5') },
  { title: 'Passes at', width: '80px', isNumber: true, cell: ({ pass_threshold }) => pass_threshold },
  { title: 'Weight', width: '70px', isNumber: true, cell: ({ weight }) => weight },
  { title: 'State', width: '110px', cell: ({ enabled }) => <Lamp state={enabled ? 'ENABLED' : 'DISABLED'} /> },
  { title: 'Changed', width: '110px', cell: ({ date_updated }) => <Time at={date_updated} /> },
];

/** The rules by which the answers of test runs are judged. */
export function Criteria() {
  const { api, can } = usePortal();
  const [, go] = useLocation();
  const [params, change] = useQueryParams();
  const [isNew, setIsNew] = useState(false);
  const [search, method] = [params.get('search') ?? '', params.get('method') ?? ''];
  const filters: EvaluationCriteriaListInput = {
    ...(search ? { search } : {}),
    ...(method in METHODS ? { method: method as EvaluationCriteria['method'] } : {}),
  };
  const open = ({ id }: { id: number }): void => go(`/criteria/${id}`);
  return (
    <div class="page">
      <div class="head">
        <h1>Criteria</h1>
        <button class="primary" aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
          New criterion
        </button>
      </div>
      <div class="bar">
        <Field label="Name contains">
          <input
            type="search"
            value={search}
            onInput={({ currentTarget }) => change({ search: currentTarget.value })}
          />
        </Field>
        <Field label="The answer">
          <select value={method} onChange={({ currentTarget }) => change({ method: currentTarget.value })}>
            <option value="">any</option>
            {Object.entries(METHODS).map(([value, words]) => (
              <option value={value} key={value}>
                {words}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Rows<EvaluationCriteria>
        label="Criteria"
        name={['criteria', filters]}
        columns={COLUMNS}
        load={(offset, limit, signal) => api.evaluationCriteria.list({ ...filters, offset, limit }, { signal })}
        open={open}
        empty={
          search || method ? (
            <Empty title="No criterion matches.">
              <button onClick={() => change({ search: '', method: '' })}>Clear filters</button>
            </Empty>
          ) : (
            <Empty title="There is no criterion yet.">
              <p class="soft">Without one, a test run asks only whether the answer equals what is expected.</p>
            </Empty>
          )
        }
      />
      {isNew && (
        <Dialog title="New criterion" close={() => setIsNew(false)}>
          <CriterionForm
            action="Make it"
            submit={async (fields) => open(await api.evaluationCriteria.create(fields))}
          />
        </Dialog>
      )}
    </div>
  );
}
