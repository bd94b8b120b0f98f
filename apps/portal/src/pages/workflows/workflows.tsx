import { useState } from 'preact/hooks';
import type { WorkflowSummary } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { useParam } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { NewWorkflow } from './new-workflow.js';

const COLUMNS: Column<WorkflowSummary>[] = [
  { title: 'Workflow', width: 'minmax(140px, 2fr)', cell: ({ workflow_name }) => workflow_name },
  { title: 'Reference', width: 'minmax(90px, 1fr)', cell: ({ workflow_ref_name }) => workflow_ref_name },
  { title: 'Language', width: '90px', cell: ({ language }) => language },
  { title: 'State', width: '110px', cell: ({ status }) => <Lamp state={status} /> },
  {
    title: 'Version',
    width: '130px',
    cell: ({ latest_version_number, has_unpublished_changes }) =>
      `${latest_version_number ?? 'none'}${has_unpublished_changes ? ' + changes' : ''}`,
  },
  { title: 'Changed', width: '100px', cell: ({ date_updated }) => <Time at={date_updated} /> },
];

const LANGUAGES = ['javascript', 'typescript', 'python'];

/** The workflows of the company. */
export function Workflows() {
  const { api, can } = usePortal();
  const [, go] = useLocation();
  const [search, setSearch] = useParam('search');
  const [status, setStatus] = useParam('status');
  const [language, setLanguage] = useParam('language');
  const [isNew, setIsNew] = useState(false);
  const filters = {
    ...(search ? { search } : {}),
    ...(status ? { status: [status as 'ENABLED'] } : {}),
    ...(language ? { language: [language as 'javascript'] } : {}),
  };
  const make = (): void => {
    if (can('write')) setIsNew(true);
  };
  return (
    <div class="page">
      <div class="head">
        <h1>Workflows</h1>
        <button class="primary" aria-disabled={!can('write')} onClick={make}>
          New workflow
        </button>
      </div>
      <div class="bar">
        <Field label="Search">
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </Field>
        <Field label="State">
          <select value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value)}>
            <option value="">any</option>
            <option value="ENABLED">enabled</option>
            <option value="DISABLED">disabled</option>
          </select>
        </Field>
        <Field label="Language">
          <select value={language} onChange={({ currentTarget }) => setLanguage(currentTarget.value)}>
            <option value="">any</option>
            {LANGUAGES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      </div>
      <Rows<WorkflowSummary>
        label="Workflows"
        name={['workflows', filters]}
        columns={COLUMNS}
        load={(offset, limit, signal) => api.workflows.list({ ...filters, offset, limit }, { signal })}
        open={({ id }) => go(`/workflows/${id}`)}
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No workflow matches." />
          ) : (
            <Empty title="A workflow is a script that calls models, agents and APIs, with kept steps, versions and releases.">
              <button class="primary" aria-disabled={!can('write')} onClick={make}>
                Make the first one
              </button>
            </Empty>
          )
        }
      />
      {isNew && <NewWorkflow close={() => setIsNew(false)} made={(id) => go(`/workflows/${id}`)} />}
    </div>
  );
}
