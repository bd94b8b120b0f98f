import type { AnalyticsGetUsageInput, Signalbox } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { OneFilter } from '../../parts/filters/filter-bar.js';
import { Field } from '../../parts/form.js';
import { Fact, Facts } from '../../parts/facts.js';
import { Loaded } from '../../parts/loaded.js';
import { download } from '../../parts/long-text.js';
import { useQueryParams } from '../../parts/param.js';
import { type Filter, inputOf } from '../../rules/filters.js';
import { count, duration, money, percent } from '../../rules/formats.js';
import {
  type Group,
  GROUPS,
  LATENCIES,
  type LatencyName,
  NO_GROUP,
  USAGE_SPANS,
  usageCsv,
  type UsageLine,
  type UsageSpan,
  type UsageTable,
  usageTable,
} from '../../rules/usage.js';
import { Caps } from './caps.js';
import { Charts } from './charts.js';
import { Movers } from './movers.js';
import { Unpriced } from './unpriced.js';

const FILTERS: Filter[] = [
  { name: 'application_id', label: 'Application', kind: 'names', of: 'applications' },
  { name: 'agent_id', label: 'Agent', kind: 'names', of: 'agents' },
  { name: 'model', label: 'Model', kind: 'text' },
];
/** Minutes-old data is good enough. */
const POLL_MS = 60_000;

const SPANS = Object.fromEntries(Object.entries(USAGE_SPANS).map(([name, { label }]) => [name, label]));

const isGroup = (name: string): name is Group => name in GROUPS;
const isLatency = (name: string): name is LatencyName => name in LATENCIES;
const isSpan = (name: string): name is UsageSpan => name in USAGE_SPANS;

async function tableOf({ analytics }: Signalbox, input: AnalyticsGetUsageInput, signal: AbortSignal) {
  const [volume, usage, latency] = await Promise.all([
    analytics.getRequestVolume(input, { signal }),
    analytics.getUsage(input, { signal }),
    analytics.getLatency(input, { signal }),
  ]);
  return { table: usageTable(volume, usage, latency), usage: usage.total, latency: latency.total };
}

function useLabels(group: Group): (line: Pick<UsageLine, 'key' | 'label'>) => string {
  const agents = useNames('agents');
  const workflows = useNames('workflows');
  return ({ key, label }) => {
    if (key === NO_GROUP && group !== 'model') return `no ${GROUPS[group]}`;
    if (group === 'agent') return agents.get(Number(key)) ?? `agent ${key}`;
    if (group === 'workflow') return workflows.get(Number(key)) ?? `workflow ${key}`;
    return group === 'none' ? 'all' : label;
  };
}

const unpricedOf = (group: Group, { lines }: UsageTable): string[] =>
  group === 'model' ? lines.filter(({ cost }) => cost === null).map(({ key }) => key) : [];

function agentsOf(group: Group, { lines }: UsageTable, { agent_id }: Record<string, string>): number[] {
  if (agent_id) return [Number(agent_id)];
  return group === 'agent' ? lines.map(({ key }) => Number(key)).filter(Number.isInteger) : [];
}

export function Usage() {
  const { api } = usePortal();
  const [params, change] = useQueryParams();
  const [given, asked] = [params.get('group') ?? '', params.get('span') ?? ''];
  const group = isGroup(given) ? given : 'model';
  const span = isSpan(asked) ? asked : '7d';
  const labelOf = useLabels(group);
  const named = params.get('latency') ?? '';
  const latency = isLatency(named) ? named : 'p95';
  const narrowing = Object.fromEntries(
    FILTERS.flatMap(({ name }) => (params.get(name) ? [[name, params.get(name) ?? '']] : [])),
  );
  const { ms, bucket } = USAGE_SPANS[span];

  async function load(signal: AbortSignal) {
    const end_date = Date.now();
    const filters = { ...inputOf(FILTERS, new URLSearchParams(narrowing), end_date), bucket };
    const grouped = { ...filters, group_by: group } as AnalyticsGetUsageInput;
    const start_date = end_date - ms;
    const [now, before, summary] = await Promise.all([
      tableOf(api, { ...grouped, start_date, end_date }, signal),
      tableOf(api, { ...grouped, start_date: start_date - ms, end_date: start_date }, signal),
      api.analytics.getSummary({ ...filters, start_date, end_date }, { signal }),
    ]);
    return { now, before, summary, when: { start_date, end_date } };
  }

  return (
    <div class="page">
      <div class="head">
        <h1>Cost and latency</h1>
      </div>
      <div class="bar">
        <Choice label="Time" value={span} options={SPANS} set={(next) => change({ span: next === '7d' ? '' : next })} />
        <Choice
          label="Group by"
          value={group}
          options={GROUPS}
          set={(next) => change({ group: next === 'model' ? '' : next })}
        />
        {group !== 'none' && (
          <Choice
            label="Latency as"
            value={latency}
            options={LATENCIES}
            set={(next) => change({ latency: next === 'p95' ? '' : next })}
          />
        )}
        {FILTERS.map((filter) => (
          <OneFilter
            key={filter.name}
            filter={filter}
            value={params.get(filter.name) ?? ''}
            set={(value) => change({ [filter.name]: value })}
          />
        ))}
      </div>
      <Loaded name={['usage', group, span, narrowing]} load={load} pollMs={POLL_MS}>
        {({ now, before, summary, when }) =>
          summary.request_count === 0 ? (
            <NoRequests
              {...(Object.keys(narrowing).length > 0
                ? { clear: () => change(Object.fromEntries(FILTERS.map(({ name }) => [name, '']))) }
                : {})}
            />
          ) : (
            <>
              <Facts>
                <Fact label="requests">{count(summary.request_count)}</Fact>
                <Fact label="cost">{money(summary.cost)}</Fact>
                <Fact label="tokens">{count(summary.total_tokens)}</Fact>
                <Fact label="p50 / p95">{`${duration(now.latency.p50_ms)} / ${duration(now.latency.p95_ms)}`}</Fact>
                <Fact label="first token">{duration(now.latency.first_token_p50_ms)}</Fact>
                <Fact label="errors">{percent(summary.error_rate)}</Fact>
              </Facts>
              {summary.cost === null && (
                <p class="why calm">
                  None of these requests has a price. <Link href="/models">The pages of models</Link> have a form for
                  them.
                </p>
              )}
              <Unpriced asked={unpricedOf(group, now.table)} />
              {now.table.lines.length === 0 ? (
                <Empty title={`None of these requests belongs to a ${GROUPS[group]}.`}>
                  <button onClick={() => change({ group: 'none' })}>Do not group</button>
                </Empty>
              ) : (
                <>
                  <Charts
                    table={now.table}
                    group={group}
                    latency={latency}
                    bucket={bucket}
                    narrowing={narrowing}
                    labelOf={labelOf}
                  />
                  <Caps ids={agentsOf(group, now.table, narrowing)} span={when} />
                  <Movers now={now.table} before={before.table} group={group} labelOf={labelOf} />
                  <div>
                    <button onClick={() => download(`usage-${group}-${span}.csv`, usageCsv(now.table, labelOf))}>
                      Download as CSV
                    </button>
                  </div>
                </>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: Record<string, string>;
  set: (value: string) => void;
}

const Choice = ({ label, value, options, set }: ChoiceProps) => (
  <Field label={label}>
    <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      {Object.entries(options).map(([name, words]) => (
        <option value={name} key={name}>
          {words}
        </option>
      ))}
    </select>
  </Field>
);

const NoRequests = ({ clear }: { clear?: () => void }) =>
  clear ? (
    <Empty title="No request matches these filters in this time.">
      <button onClick={clear}>Clear filters</button>
    </Empty>
  ) : (
    <Empty title="No model was asked in this time.">
      <Link href="/runs?kind=Requests">All requests</Link>
    </Empty>
  );
