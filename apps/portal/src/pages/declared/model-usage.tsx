import type { Model, ModelUsage as Usage } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { SectionProps } from '../../declared/declaration.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { Table } from '../../parts/table.js';
import { count, duration, exact, money, percent, utcDay } from '../../rules/formats.js';

const FIGURES = ['Requests', 'Errors', 'Tokens', 'Cost', 'p50', 'p95', 'Faults'];
const BUCKETS: Usage['bucket'][] = ['hour', 'day', 'week'];

export function ModelUsage({ item: { id: model_id } }: SectionProps<Model>) {
  const { api } = usePortal();
  const [given, setBucket] = useParam('bucket', 'day');
  const bucket = BUCKETS.find((each) => each === given) ?? 'day';
  return (
    <div class="stack">
      <div class="bar">
        <Field label="A row for each">
          <select value={bucket} onChange={({ currentTarget }) => setBucket(currentTarget.value)}>
            {BUCKETS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </Field>
      </div>
      <Loaded
        name={['model usage', model_id, bucket]}
        load={(signal) => api.models.getUsage({ model_id, bucket }, { signal })}
      >
        {({ points }) => {
          const used = points.filter(({ requests }) => requests > 0).reverse();
          if (used.length === 0) return <Empty title="It was not called in this time." />;
          return (
            <Table label="Usage" columns={['From', ...FIGURES]} numbers={FIGURES}>
              {used.map((point) => (
                <tr key={point.timestamp}>
                  <td>{bucket === 'hour' ? exact(point.timestamp).slice(0, 16) : utcDay(point.timestamp)}</td>
                  <td class="number">{count(point.requests)}</td>
                  <td class="number">{count(point.errors)}</td>
                  <td class="number">{count(point.total_tokens)}</td>
                  <td class="number">{money(point.cost)}</td>
                  <td class="number">{duration(point.p50_ms)}</td>
                  <td class="number">{duration(point.p95_ms)}</td>
                  <td class="number">{percent(point.fault_rate)}</td>
                </tr>
              ))}
            </Table>
          );
        }}
      </Loaded>
    </div>
  );
}
