import { useState } from 'preact/hooks';
import type { Sentinel, SentinelsListInput } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { useQueryParams } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { oneLine } from '../../rules/formats.js';
import { NewSentinel } from './new-sentinel.js';
import { SEVERITIES } from './severities.js';

const COLUMNS: Column<Sentinel>[] = [
  { title: 'Name', width: '2fr', cell: ({ sentinel_name }) => sentinel_name },
  { title: 'Looks for', width: '3fr', cell: ({ sentinel_directive }) => oneLine(sentinel_directive.instruction) },
  { title: 'Severity', width: '90px', cell: ({ severity }) => SEVERITIES[severity] ?? severity },
  {
    title: 'Corrects',
    width: '90px',
    cell: ({ sentinel_directive: { correction } }) => (correction ? 'yes' : 'no'),
  },
  { title: 'State', width: '110px', cell: ({ state }) => <Lamp state={state} /> },
  { title: 'Changed', width: '110px', cell: ({ date_updated }) => <Time at={date_updated} /> },
];

/** Watchers over the answers of chat traffic. */
export function Sentinels() {
  const { api, can } = usePortal();
  const [, go] = useLocation();
  const [params, change] = useQueryParams();
  const [isNew, setIsNew] = useState(false);
  const [search = '', severity = '', state = ''] = ['search', 'severity', 'state'].map(
    (name) => params.get(name) ?? '',
  );
  const isNarrow = search !== '' || severity !== '' || state !== '';
  const filters: SentinelsListInput = {
    ...(search ? { search } : {}),
    ...(severity ? { severity: Number(severity) } : {}),
    ...(state ? { state: state as 'ENABLED' } : {}),
  };
  const open = ({ id }: { id: number }): void => go(`/sentinels/${id}`);
  return (
    <div class="page">
      <div class="head">
        <h1>Sentinels</h1>
        <button class="primary" aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
          New sentinel
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
        <Field label="Severity">
          <select value={severity} onChange={({ currentTarget }) => change({ severity: currentTarget.value })}>
            <option value="">any</option>
            {Object.entries(SEVERITIES).map(([value, words]) => (
              <option value={value} key={value}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        <Field label="State">
          <select value={state} onChange={({ currentTarget }) => change({ state: currentTarget.value })}>
            <option value="">any</option>
            <option value="ENABLED">enabled</option>
            <option value="DISABLED">disabled</option>
          </select>
        </Field>
      </div>
      <Rows<Sentinel>
        label="Sentinels"
        name={['sentinels', filters]}
        columns={COLUMNS}
        load={(offset, limit, signal) => api.sentinels.list({ ...filters, offset, limit }, { signal })}
        open={open}
        empty={
          isNarrow ? (
            <Empty title="No sentinel matches.">
              <button onClick={() => change({ search: '', severity: '', state: '' })}>Clear filters</button>
            </Empty>
          ) : (
            <Empty title="There is no sentinel yet.">
              <p class="soft">A sentinel judges the answers of an intent group, and can correct them before they go.</p>
            </Empty>
          )
        }
      />
      {isNew && <NewSentinel close={() => setIsNew(false)} made={(id) => open({ id })} />}
    </div>
  );
}
