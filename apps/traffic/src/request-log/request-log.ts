import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import { LOGGER, type Logger, Quarantine, requestLogFolders } from '@signalbox/platform';
import { quarantineBytes, quarantinedRecords, requestLogStalled, unrecordedCalls } from './request-log-metrics.js';
import { Spool } from './spool.js';
import { SpoolDrain } from './spool-drain.js';
import { lineOf } from './record-line.js';
import { RecordStore } from './record-store.js';
import { type RequestRecord, RequestWriter } from '../request-records/index.js';

export const SPOOL_FOLDER = Symbol('spool folder');

const MAX_BYTES = 4 * 1024 * 1024 * 1024;
const LOOK_EVERY_MS = 1000;
/** The process has 15 s to close, of which the spool may take nine. */
const QUARANTINE_MS = 4000;
const PARTITIONS_EVERY_MS = 3_600_000;

export const spoolFolder = (dataDir: string): string => requestLogFolders(dataDir).spool;

/**
 * A record is in a file before the caller has its answer, and in Postgres soon after, even when this process dies or
 * Postgres is unreachable in between.
 */
@Injectable()
export class RequestLog implements OnModuleInit, BeforeApplicationShutdown {
  private spool!: Spool;
  private drain!: SpoolDrain;
  private wasFull = false;

  constructor(
    private readonly requests: RequestWriter,
    private readonly store: RecordStore,
    private readonly quarantine: Quarantine,
    @Inject(SPOOL_FOLDER) private readonly folder: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    this.spool = await Spool.open(this.folder, (error) =>
      this.logger.error({ error }, 'a record could not be written to the spool'),
    );
    this.reportRoom();
    this.drain = new SpoolDrain(this.spool, this.store, this.logger);
  }

  /** Runs after the last call has ended and the interval jobs, which read the spool folder, have stopped. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.drain.stop();
    await this.spool.close();
    await Promise.race([this.handOverQuarantine(), pause(QUARANTINE_MS)]);
  }

  private async handOverQuarantine(): Promise<void> {
    try {
      await this.store.handOverQuarantine();
    } catch (error) {
      this.logger.warn({ error }, 'records in quarantine stay on the disk of this process');
    }
  }

  /** Throws 503, so that a call that could not be recorded is refused before its provider is called. */
  assertDiskSpace(): void {
    if (this.spool.isFull || this.spool.bytes > MAX_BYTES)
      throw new ApiError('unavailable', 'the request log accepts no records at the moment', { retryAfter: 1 });
  }

  /**
   * When this resolves, the record survives the death of this process. Throws 503 when the disk rejects it for some
   * seconds: an answer without a record is withheld.
   */
  async append(record: RequestRecord): Promise<void> {
    await this.spoolLine(record.company_id, lineOf(record));
  }

  async keepAll(companyId: number, lines: readonly string[]): Promise<void> {
    this.assertDiskSpace();
    await Promise.all(lines.map((line) => this.spoolLine(companyId, line)));
  }

  private async spoolLine(companyId: number, line: string): Promise<void> {
    try {
      await this.spool.append(line);
    } catch {
      unrecordedCalls.inc();
      throw new ApiError('unavailable', 'the call could not be recorded, so its answer is withheld', { retryAfter: 5 });
    }
    this.drain.lineAdded(companyId);
  }

  /**
   * Resolves when the records of this process so far, of all or of some companies, can be read, or after a time limit:
   * a client reads its own writes and does not wait for a busy or unreachable database. Null when all can be read
   * already.
   */
  settle(limitMs: number, companies?: readonly number[]): Promise<void> | null {
    return this.drain.settle(limitMs, companies);
  }

  @Every(LOOK_EVERY_MS, 'the spool folder could not be read')
  async look(): Promise<void> {
    requestLogStalled.set(this.drain.stalledSeconds);
    const { records, bytes } = await this.quarantine.size();
    quarantinedRecords.set(records);
    quarantineBytes.set(bytes);
    try {
      const files = await this.spool.look();
      if (files > 0) this.logger.info({ files }, 'took over the records of a process that died');
    } finally {
      this.reportRoom();
    }
  }

  private reportRoom(): void {
    if (this.spool.isFull === this.wasFull) return;
    this.wasFull = this.spool.isFull;
    const { folder } = this;
    if (this.wasFull) this.logger.error({ folder }, 'the disk is full or fails, so model calls are refused');
    else this.logger.info({ folder }, 'the disk accepts records again');
  }

  @Every(PARTITIONS_EVERY_MS, 'partitions of the request log could not be created')
  async makePartitions(): Promise<void> {
    await this.requests.makePartitions();
  }
}
