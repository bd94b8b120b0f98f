import { Injectable } from '@nestjs/common';
import { ApiError, type Caller } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { trafficJobs } from '../jobs.js';
import {
  ANNOUNCE_TRACE,
  COUNT_OPEN,
  INSERT_RECORDS,
  KNOWN_RECORDS,
  LOCK_TRACES,
  REOPEN_TRACES,
} from './arrivals.sql.js';

/** A span, or an evaluation that arrived as a log record. */
export interface ArrivedRecord {
  trace_id: string;
  record_id: string;
  signal: 'span' | 'log';
  json: string;
}

interface LockedTrace {
  trace_id: string;
  record_count: number;
  bytes: number;
  first_arrival: number;
  pruned_at: number | null;
}

const MAX_RECORDS = 2000;
const MAX_TRACE_BYTES = 67_108_864;
/** Open traces of a company; exports beyond are refused and stay with their exporter. */
const MAX_OPEN_TRACES = 20_000;
const MAX_OPEN_BYTES = 536_870_912;
/** Spans of a trace arrive in bursts; the trace is assembled when none has arrived for this time. */
const BURST_MS = 500;
/** A trace whose spans never pause is assembled all the same after this time. */
const LONG_MS = 60_000;

/** SQL: the traces of an export are locked, and its records inserted, in one statement each. */
@Injectable()
export class Arrivals {
  constructor(private readonly db: Database) {}

  /**
   * Stores the new records and makes their traces due; returns why others are not stored. Repeats are neither stored
   * nor refused. 503 when the company has too many open traces.
   */
  async store(caller: Caller, records: readonly ArrivedRecord[]): Promise<string[]> {
    if (records.length === 0) return [];
    await this.requireCapacity(caller.companyId);
    return this.db.withCompany(caller, (tx) => this.storeIn(tx, records));
  }

  private async storeIn(tx: Tx, records: readonly ArrivedRecord[]): Promise<string[]> {
    const now = Date.now();
    const traces = await this.lock(tx, [...new Set(records.map(({ trace_id }) => trace_id))], now);
    const known = await this.known(tx, records);
    const rejected: string[] = [];
    const fresh: ArrivedRecord[] = [];
    for (const record of records) {
      const trace = traces.get(record.trace_id);
      const key = `${record.trace_id} ${record.record_id}`;
      if (!trace || known.has(key)) continue;
      const problem = fault(trace, record);
      if (problem !== null) {
        rejected.push(problem);
        continue;
      }
      known.add(key);
      trace.record_count++;
      trace.bytes += record.json.length;
      fresh.push(record);
    }
    await this.insert(tx, fresh, now);
    const changed = [...new Set(fresh.map(({ trace_id }) => trace_id))].flatMap((id) => traces.get(id) ?? []);
    await this.update(tx, changed, now);
    return rejected;
  }

  /** In one order, against deadlocks; creates those that are new. */
  private async lock(tx: Tx, ids: string[], now: number): Promise<Map<string, LockedTrace>> {
    const rows = await tx.query<LockedTrace>(LOCK_TRACES, [tx.companyId, ids, now]);
    return new Map(rows.map((row) => [row.trace_id, row]));
  }

  private async known(tx: Tx, records: readonly ArrivedRecord[]): Promise<Set<string>> {
    const rows = await tx.query<{ key: string }>(KNOWN_RECORDS, [
      tx.companyId,
      records.map(({ trace_id }) => trace_id),
      records.map(({ record_id }) => record_id),
    ]);
    return new Set(rows.map(({ key }) => key));
  }

  private async insert(tx: Tx, records: readonly ArrivedRecord[], now: number): Promise<void> {
    if (records.length === 0) return;
    await tx.query(INSERT_RECORDS, [
      tx.companyId,
      records.map(({ trace_id }) => trace_id),
      records.map(({ record_id }) => record_id),
      records.map(({ signal }) => signal),
      records.map(({ json }) => json),
      now,
    ]);
  }

  /** Opens a closed trace again; it is due when its burst is over. */
  private async update(tx: Tx, traces: readonly LockedTrace[], now: number): Promise<void> {
    if (traces.length === 0) return;
    const waits = traces.map(({ first_arrival }) => (now - first_arrival > LONG_MS ? 0 : BURST_MS));
    await tx.query(REOPEN_TRACES, [
      tx.companyId,
      traces.map(({ trace_id }) => trace_id),
      traces.map(({ record_count }) => record_count),
      traces.map(({ bytes }) => bytes),
      now,
      waits.map((ms) => now + ms),
    ]);
    // One job per company, which is not put off when more spans arrive: exports may never pause.
    tx.addJob(trafficJobs.assembleTraces, {}, Math.min(...waits));
  }

  private async requireCapacity(companyId: number): Promise<void> {
    const [open] = await this.db.select<{ traces: number; bytes: number }>(companyId, COUNT_OPEN);
    if ((open?.traces ?? 0) >= MAX_OPEN_TRACES || (open?.bytes ?? 0) >= MAX_OPEN_BYTES)
      throw new ApiError('unavailable', 'too many traces are open', { retryAfter: 5 });
  }

  async expect(caller: Caller, trace_id: string, span_id: string | null): Promise<void> {
    await this.db.withCompany(caller, (tx) => tx.query(ANNOUNCE_TRACE, [tx.companyId, trace_id, span_id, Date.now()]));
  }
}

function fault({ record_count, bytes, pruned_at }: LockedTrace, { json }: ArrivedRecord): string | null {
  if (pruned_at !== null) return 'its trace has ended too long ago';
  if (record_count >= MAX_RECORDS) return `its trace has ${MAX_RECORDS} spans already`;
  return bytes + json.length > MAX_TRACE_BYTES ? 'the spans of its trace are larger than 64 MiB' : null;
}
