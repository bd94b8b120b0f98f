import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@signalbox/platform';
import { requestLogBacklog } from './request-log-metrics.js';
import type { Spool, SpoolBatch } from './spool.js';

const PART_BYTES = 1024 * 1024;
/** A backlog is stored over two connections: one part is decoded while Postgres inserts the other. */
const PARTS = 2;
const BATCH_BYTES = PARTS * PART_BYTES;
/** Delay to collect a batch: a transaction costs more than the rows of a few calls. A waiting reader ends it early. */
const GATHER_MS = 50;
/** Larger batches gain nothing. */
const GATHERED = 100;
const GATHERED_BYTES = 256 * 1024;
const IDLE_MS = 1000;
const RETRY_MS = 1000;
const LAST_BATCH_MS = 2000;
const HAND_OVER_MS = 5000;

export interface LineStore {
  /** Resolves when the lines are in the database. */
  store(lines: readonly string[]): Promise<unknown>;
  /** Resolves when the lines are on the disk of another process. */
  handOver(lines: readonly string[]): Promise<unknown>;
}

type Outcome = 'many' | 'few' | 'nothing' | 'failed';

/** Moves the lines of a spool into the database in order, and waits while it is unreachable. */
export class SpoolDrain {
  private stopping = false;
  private stopped = false;
  private fresh = false;
  private appended = 0;
  /** By company, the number of its last appended line; only for companies that may have lines that are not stored. */
  private readonly lastOf = new Map<number, number>();
  private stored = 0;
  private failingSince: number | null = null;
  private readers: (() => void)[] = [];
  private wake: () => void = () => undefined;
  private hurry: () => void = () => undefined;
  private readonly running: Promise<void>;

  constructor(
    private readonly spool: Spool,
    private readonly store: LineStore,
    private readonly logger: Logger,
  ) {
    this.running = this.run();
  }

  get stalledSeconds(): number {
    return this.failingSince === null ? 0 : (Date.now() - this.failingSince) / 1000;
  }

  lineAdded(companyId: number): void {
    this.lastOf.set(companyId, ++this.appended);
    this.fresh = true;
    this.wake();
  }

  /**
   * Resolves when the lines appended so far, of all or of some companies, are stored, or after `limitMs`; null when
   * they are.
   */
  settle(limitMs: number, companies?: readonly number[]): Promise<void> | null {
    const last = companies ? Math.max(0, ...companies.map((id) => this.lastOf.get(id) ?? 0)) : this.appended;
    return this.stored >= last ? null : this.untilStored(last, Date.now() + limitMs);
  }

  private async untilStored(asked: number, end: number): Promise<void> {
    while (this.stored < asked && Date.now() < end) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.max(1, end - Date.now()));
        this.readers.push(resolve);
        this.hurry();
      });
      clearTimeout(timer);
    }
  }

  /** Stores the remaining lines or, without a database, sends them to another process; others stay on disk. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    this.hurry();
    await Promise.race([this.running, pause(LAST_BATCH_MS)]);
    this.stopped = true;
    await Promise.race([this.handOver(), pause(HAND_OVER_MS)]);
  }

  private async handOver(): Promise<void> {
    try {
      for (let batch = await this.next(); batch; batch = await this.next()) {
        await this.store.handOver(batch.lines);
        await batch.release();
      }
    } catch (error) {
      const { bytes } = this.spool;
      this.logger.warn({ error, bytes }, 'recorded calls stay on disk for the next process that uses this folder');
    }
  }

  private next(): Promise<SpoolBatch | null> {
    return this.spool.next(BATCH_BYTES);
  }

  private async run(): Promise<void> {
    for (;;) {
      const outcome = await this.storeNext();
      if (this.stopped) return;
      if (this.stopping && (outcome === 'nothing' || outcome === 'failed')) return;
      if (outcome === 'few') await this.gather();
      if (outcome === 'nothing') await this.waitForLines();
      // New lines do not shorten the delay after a failure, or the database would be called once per line.
      if (outcome === 'failed') await pause(RETRY_MS);
    }
  }

  /** While the database is unreachable the batch stays in the spool and is read again. */
  private async storeNext(): Promise<Outcome> {
    this.fresh = false;
    try {
      requestLogBacklog.set(this.spool.bytes);
      const before = this.appended;
      const batch = await this.next();
      if (batch) return await this.storeBatch(batch);
      // All lines that were appended before this read are stored.
      this.storedAre(before);
      return 'nothing';
    } catch (error) {
      this.failingSince ??= Date.now();
      this.logger.warn({ error }, 'recorded calls wait for the database');
      return 'failed';
    }
  }

  private async storeBatch(batch: SpoolBatch): Promise<Outcome> {
    // Released together: a reader waits for a number of lines, so batches have to complete in order.
    const parts = this.spool.bytes < GATHERED_BYTES ? [batch.lines] : inParts(batch.lines, PARTS);
    await Promise.all(parts.map((lines) => this.store.store(lines)));
    await batch.release();
    this.failingSince = null;
    this.storedAre(this.stored + batch.appended);
    // With a backlog the next batch is large already.
    return batch.lines.length < GATHERED && this.spool.bytes < GATHERED_BYTES ? 'few' : 'many';
  }

  private storedAre(count: number): void {
    this.stored = count;
    if (count >= this.appended) this.lastOf.clear();
    for (const resolve of this.readers.splice(0)) resolve();
  }

  private async waitForLines(): Promise<void> {
    if (!this.fresh) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, IDLE_MS);
      });
      clearTimeout(timer);
    }
    await this.gather();
  }

  private async gather(): Promise<void> {
    if (this.readers.length > 0 || this.stopping) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.hurry = resolve;
      timer = setTimeout(resolve, GATHER_MS);
    });
    clearTimeout(timer);
  }
}

function inParts(lines: readonly string[], count: number): string[][] {
  const size = Math.max(1, Math.ceil(lines.length / count));
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, at) => lines.slice(at * size, (at + 1) * size));
}
