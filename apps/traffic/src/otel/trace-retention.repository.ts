import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import {
  COMPANIES_WITH_TRACES,
  DELETE_RECORDS,
  FORGET_TRACES,
  PRUNE_TRACES,
  ROWS,
  TRACES,
} from './trace-retention.sql.js';

const DAY_MS = 86_400_000;
/** How long a pruned trace is remembered, so that its late spans are refused: exports wait for days at most. */
const KNOWN_MS = 30 * DAY_MS;

/** SQL: traces are pruned in batches, which skip those that are locked because records of them arrive. */
@Injectable()
export class TraceRetention {
  constructor(private readonly db: Database) {}

  async companies(): Promise<number[]> {
    const rows = await this.db.asWorker<{ company_id: number }>(COMPANIES_WITH_TRACES);
    return rows.map(({ company_id }) => company_id);
  }

  /** Deletes the records of traces to which nothing was added since `before`, and forgets pruned traces. */
  async prune(companyId: number, before: number, stop: AbortSignal): Promise<void> {
    await this.inBatches(companyId, TRACES, stop, (tx) => this.pruneBatch(tx, before));
    await this.inBatches(companyId, ROWS, stop, (tx) => this.forgetBatch(tx, Date.now() - KNOWN_MS));
  }

  private async inBatches(
    companyId: number,
    size: number,
    stop: AbortSignal,
    work: (tx: Tx) => Promise<number>,
  ): Promise<void> {
    for (let done = size; done === size && !stop.aborted;) done = await this.db.withCompany({ companyId }, work);
  }

  /** Includes traces that were announced and never came: they have no records and are never closed. */
  private async pruneBatch(tx: Tx, before: number): Promise<number> {
    const pruned = await tx.query<{ trace_id: string }>(PRUNE_TRACES, [tx.companyId, before, Date.now()]);
    await tx.query(DELETE_RECORDS, [tx.companyId, pruned.map(({ trace_id }) => trace_id)]);
    return pruned.length;
  }

  private async forgetBatch(tx: Tx, before: number): Promise<number> {
    const forgotten = await tx.query(FORGET_TRACES, [tx.companyId, before]);
    return forgotten.length;
  }
}
