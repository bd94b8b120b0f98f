import { Chart, type ChartLine } from '../../parts/chart/chart.js';
import { count, duration, money } from '../../rules/formats.js';
import {
  type Group,
  GROUPS,
  LATENCIES,
  type LatencyName,
  pointPath,
  type UsageBucket,
  type UsageLine,
  type UsageSample,
  type UsageTable,
} from '../../rules/usage.js';

/** Further lines look alike; the table of movers and the CSV have all. */
const MOST = 6;

interface Props {
  table: UsageTable;
  group: Group;
  latency: LatencyName;
  bucket: UsageBucket;
  narrowing: Record<string, string>;
  labelOf: (line: UsageLine) => string;
}

export function Charts({ table: { times, lines }, group, latency: chosen, bucket, narrowing, labelOf }: Props) {
  const shown = lines.slice(0, MOST);
  const linesOf = (of: (sample: UsageSample) => number | null): ChartLine[] =>
    shown.map((line) => ({ key: line.key, label: labelOf(line), values: line.samples.map(of) }));
  /** Without groups one chart has all three. */
  const latencies = (): ChartLine[] => {
    const [only] = shown;
    if (group !== 'none' || !only) return linesOf((sample) => sample[chosen]);
    return Object.entries(LATENCIES).map(([name, label]) => ({
      key: name,
      label,
      values: only.samples.map((sample) => sample[name as LatencyName]),
    }));
  };
  const pathOf = ({ key }: ChartLine, time: number): string | null =>
    pointPath(group, group === 'none' ? 'all' : key, time, bucket, narrowing);
  const of = { times, pathOf };
  return (
    <>
      <p class="soft">
        {lines.length > MOST ? `The ${MOST} with most requests of ${count(lines.length)} by ${GROUPS[group]}. ` : ''}A
        point opens what it stands for.
      </p>
      <div class="charts">
        <Chart title="Cost" lines={linesOf(({ cost }) => cost)} format={money} isWhole={false} {...of} />
        <Chart
          title={group === 'none' ? 'Latency' : `Latency, ${LATENCIES[chosen]}`}
          lines={latencies()}
          format={duration}
          {...of}
        />
        <Chart title="Tokens" lines={linesOf(({ tokens }) => tokens)} format={count} {...of} />
        <Chart title="Requests" lines={linesOf(({ requests }) => requests)} format={count} {...of} />
      </div>
    </>
  );
}
