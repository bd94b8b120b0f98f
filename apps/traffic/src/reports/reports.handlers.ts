import { Serves } from '@signalbox/bus';
import { type CallTo, Chunks, type Handlers, reports } from '@signalbox/contracts';
import { csvRecord } from '@signalbox/platform';
import { FallbackRates } from './fallback-rates.js';
import { FallbackReports } from './fallback-reports.repository.js';
import { FaultReports } from './fault-reports.repository.js';
import { MAX_CSV_ROWS, pageOf } from './report-query.js';

type C = typeof reports;

const FAULT_COLUMNS = [
  'request_id',
  'session_id',
  'application_id',
  'intent_id',
  'sentinel_id',
  'sentinel_name',
  'severity',
  'description',
  'correction_applied',
  'date_created',
] as const;
const FAULT_SUMMARY_COLUMNS = ['key', 'label', 'fault_count', 'evaluated', 'error_count', 'fault_rate'] as const;
const FALLBACK_COLUMNS = [
  'request_id',
  'primary_model',
  'fallback_model',
  'strategy',
  'fallback_reason',
  'latency_ms',
  'date_created',
] as const;
const FALLBACK_SUMMARY_COLUMNS = ['key', 'label', 'count', 'rate'] as const;
const BATCH = 2000;

@Serves(reports)
export class ReportHandlers implements Handlers<C> {
  constructor(
    private readonly faults: FaultReports,
    private readonly fallbacks: FallbackReports,
    private readonly rates: FallbackRates,
  ) {}

  listFaults({ input, caller }: CallTo<C, 'listFaults'>) {
    return this.faults.list(caller.companyId, input);
  }

  async exportFaults({ input, caller, signal }: CallTo<C, 'exportFaults'>): Promise<Chunks> {
    return csvFile('faults', FAULT_COLUMNS, this.faults.all(caller.companyId, input, BATCH), signal);
  }

  async summarizeFaults({ input, caller }: CallTo<C, 'summarizeFaults'>) {
    const rows = await this.faults.summary(caller.companyId, input, input.group_by);
    return pageOf(rows, input, ({ fault_count }) => fault_count, input.group_by === 'day');
  }

  async exportFaultSummary({ input, caller, signal }: CallTo<C, 'exportFaultSummary'>): Promise<Chunks> {
    const { data } = await this.summarizeFaults({ input: { ...input, ...ALL }, caller });
    return csvFile('fault-summary', FAULT_SUMMARY_COLUMNS, [data], signal);
  }

  listFallbacks({ input, caller }: CallTo<C, 'listFallbacks'>) {
    return this.fallbacks.list(caller.companyId, input);
  }

  async exportFallbacks({ input, caller, signal }: CallTo<C, 'exportFallbacks'>): Promise<Chunks> {
    return csvFile('fallbacks', FALLBACK_COLUMNS, this.fallbacks.all(caller.companyId, input, BATCH), signal);
  }

  async summarizeFallbacks({ input, caller }: CallTo<C, 'summarizeFallbacks'>) {
    const rows = await this.rates.summary(caller.companyId, input, input.group_by);
    return pageOf(rows, input, ({ count }) => count, input.group_by === 'day');
  }

  async exportFallbackSummary({ input, caller, signal }: CallTo<C, 'exportFallbackSummary'>): Promise<Chunks> {
    const { data } = await this.summarizeFallbacks({ input: { ...input, ...ALL }, caller });
    return csvFile('fallback-summary', FALLBACK_SUMMARY_COLUMNS, [data], signal);
  }
}

const ALL = { offset: 0, limit: MAX_CSV_ROWS };

type Batches<Row> = AsyncIterable<Row[]> | Row[][];

function csvFile<Row extends object>(
  name: string,
  columns: readonly (keyof Row & string)[],
  batches: Batches<Row>,
  signal: AbortSignal | undefined,
): Chunks {
  return new Chunks(csvText(columns, batches, signal), {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  });
}

async function* csvText<Row extends object>(
  columns: readonly (keyof Row & string)[],
  batches: Batches<Row>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  yield csvRecord([...columns]);
  let left = MAX_CSV_ROWS;
  for await (const batch of batches) {
    if (signal?.aborted) return;
    const rows = batch.slice(0, left);
    left -= rows.length;
    yield rows.map((row) => csvRecord(columns.map((column) => textOf(row[column])))).join('');
    if (left === 0) return;
  }
}

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
