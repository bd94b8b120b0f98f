import type { ReportedFallback, ReportedFault } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { OneFilter } from '../../parts/filters/filter-bar.js';
import { SpanFields } from '../../parts/filters/span-fields.js';
import { Field } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { useQueryParams } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Table } from '../../parts/table.js';
import { Tabs } from '../../parts/tabs.js';
import { Time } from '../../parts/time.js';
import { type Filter, inputOf, setFilters } from '../../rules/filters.js';
import { count, duration, oneLine, percent, sentenceCase } from '../../rules/formats.js';
import { SEVERITIES } from '../evaluations/severities.js';

const TABS = ['Faults', 'Fallbacks'] as const;
type Tab = (typeof TABS)[number];

const APPLICATION: Filter = { name: 'application_id', label: 'Application', kind: 'names', of: 'applications' };
const FILTERS: Record<Tab, Filter[]> = {
  Faults: [
    APPLICATION,
    { name: 'severity', label: 'Severity', kind: 'choice', values: Object.keys(SEVERITIES), words: SEVERITIES },
    { name: 'corrected', label: 'Corrected', kind: 'choice', values: ['true', 'false'] },
  ],
  Fallbacks: [APPLICATION, { name: 'model', label: 'Model', kind: 'text' }],
};
const GROUPS = {
  Faults: ['sentinel', 'intent', 'application', 'day'],
  Fallbacks: ['primary_model', 'fallback_model', 'reason', 'day'],
} as const;

const FAULTS: Column<ReportedFault>[] = [
  { title: 'Sentinel', width: '1fr', cell: ({ sentinel_name }) => sentinel_name },
  { title: 'Severity', width: '90px', cell: ({ severity }) => SEVERITIES[severity] ?? severity },
  { title: 'Why', width: '3fr', cell: ({ description }) => oneLine(description) || '–' },
  { title: 'Corrected', width: '90px', cell: ({ correction_applied }) => (correction_applied ? 'yes' : 'no') },
  { title: 'When', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];
const FALLBACKS: Column<ReportedFallback>[] = [
  { title: 'Asked', width: '1fr', cell: ({ primary_model }) => primary_model ?? '–' },
  { title: 'Answered by', width: '1fr', cell: ({ fallback_model }) => fallback_model },
  { title: 'Why', width: '2fr', cell: ({ fallback_reason, strategy }) => fallback_reason ?? strategy ?? '–' },
  { title: 'Latency', width: '90px', isNumber: true, cell: ({ latency_ms }) => duration(latency_ms) },
  { title: 'When', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

export function Reports() {
  const { api, login } = usePortal();
  const [, go] = useLocation();
  const [params, change] = useQueryParams();
  const tab: Tab = params.get('report') === 'Fallbacks' ? 'Fallbacks' : 'Faults';
  const filters = FILTERS[tab];
  const given = setFilters(filters, params);
  const groups: readonly string[] = GROUPS[tab];
  const asked = params.get('by') ?? '';
  const by = groups.includes(asked) ? asked : (groups[0] ?? 'day');
  const input = () => inputOf(filters, params, Date.now());
  const name = [tab, ...given.map((each) => `${each}=${params.get(each) ?? ''}`)];
  const clear = (): void => change(Object.fromEntries(given.map((each) => [each, ''])));
  const csv = (path: string, more: Record<string, string> = {}): string => {
    const query = Object.entries({ ...input(), ...more, format: 'csv' }).map(([key, value]) => [key, String(value)]);
    return `/c/${login.company_id}/api/v1/reports/${path}?${new URLSearchParams(query).toString()}`;
  };
  const path = tab.toLowerCase();
  const empty =
    given.length > 0 ? (
      <Empty title={`No ${tab === 'Faults' ? 'fault' : 'fallback'} matches.`}>
        <button onClick={clear}>Clear filters</button>
      </Empty>
    ) : (
      <Empty title={tab === 'Faults' ? 'No sentinel has found a fault.' : 'No request needed another model.'} />
    );
  const open = ({ request_id }: { request_id: string }): void => go(`/runs/request/${request_id}`);
  return (
    <div class="page">
      <div class="head">
        <h1>Reports</h1>
      </div>
      <Tabs<Tab>
        label="Reports"
        names={TABS}
        chosen={tab}
        choose={(next) => change({ report: next === 'Faults' ? '' : next, by: '' })}
      >
        <div class="bar">
          {filters.map((filter) => (
            <OneFilter
              key={`${tab} ${filter.name}`}
              filter={filter}
              value={params.get(filter.name) ?? ''}
              set={(value) => change({ [filter.name]: value })}
            />
          ))}
          <SpanFields params={params} change={change} />
          <Field label="Counted by">
            <select value={by} onChange={({ currentTarget }) => change({ by: currentTarget.value })}>
              {groups.map((group) => (
                <option value={group} key={group}>
                  {group.replace('_', ' ')}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <Summary tab={tab} by={by} name={name} input={input} />
        {tab === 'Faults' ? (
          <Rows<ReportedFault>
            label="Faults"
            name={['report', ...name]}
            columns={FAULTS}
            keyOf={({ request_id, sentinel_id }) => `${request_id} ${sentinel_id}`}
            load={(offset, limit, signal) => api.reports.listFaults({ ...input(), offset, limit }, { signal })}
            open={open}
            empty={empty}
          />
        ) : (
          <Rows<ReportedFallback>
            label="Fallbacks"
            name={['report', ...name]}
            columns={FALLBACKS}
            keyOf={({ request_id }) => request_id}
            load={(offset, limit, signal) => api.reports.listFallbacks({ ...input(), offset, limit }, { signal })}
            open={open}
            empty={empty}
          />
        )}
        <div class="bar">
          <a class="button" href={csv(path)}>
            All as CSV
          </a>
          <a class="button" href={csv(`${path}/summary`, { group_by: by })}>
            The counts as CSV
          </a>
        </div>
      </Tabs>
    </div>
  );
}

interface SummaryProps {
  tab: Tab;
  by: string;
  name: readonly string[];
  input: () => object;
}

function Summary({ tab, by, name, input }: SummaryProps) {
  const { api } = usePortal();
  const load = async (signal: AbortSignal): Promise<{ key: string; cells: string[] }[]> => {
    const asked = { ...input(), limit: 20 };
    if (tab === 'Faults') {
      const { data } = await api.reports.summarizeFaults({ ...asked, group_by: by as 'day' }, { signal });
      return data.map(({ key, label, fault_count, evaluated, error_count, fault_rate }) => ({
        key,
        cells: [label, count(fault_count), percent(fault_rate), count(evaluated), count(error_count)],
      }));
    }
    const { data } = await api.reports.summarizeFallbacks({ ...asked, group_by: by as 'day' }, { signal });
    return data.map(({ key, label, count: n, rate }) => ({ key, cells: [label, count(n), percent(rate)] }));
  };
  const figures = tab === 'Faults' ? ['Faults', 'Share', 'Judged', 'Errors'] : ['Fallbacks', 'Share'];
  return (
    <Loaded name={['report summary', by, ...name]} load={load}>
      {(rows) =>
        rows.length === 0 ? null : (
          <section class="card" aria-label={`${tab} counted`}>
            <Table
              label={`${tab} by ${by.replace('_', ' ')}`}
              columns={[sentenceCase(by.replace('_', ' ')), ...figures]}
              numbers={figures}
            >
              {rows.map(({ key, cells }) => (
                <tr key={key}>
                  {cells.map((cell, n) => (
                    <td key={n} class={n === 0 ? '' : 'number'}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </Table>
          </section>
        )
      }
    </Loaded>
  );
}
