import { join } from 'node:path';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { LOGGER, type Logger, requestLogBacklog } from '@signalbox/platform';
import { lineOf } from './record-line.js';
import { RecordStore } from './record-store.js';
import type { RequestRecord } from './request-record.js';
import { Requests } from './requests.repository.js';
import { Spool } from './spool.js';

/** Nest token of the folder in which records wait for the database. */
export const SPOOL_FOLDER = Symbol('spool folder');

const BATCH_BYTES = 1024 * 1024;
const MAX_BYTES = 4 * 1024 * 1024 * 1024;
/** Lets a batch gather: a transaction costs more than the rows of a few calls. Whoever reads cuts it short. */
const GATHER_MS = 50;
/** A batch of this size gains nothing from being larger. */
const GATHERED = 100;
const IDLE_MS = 1000;
const RETRY_MS = 1000;
const PARTITIONS_EVERY_MS = 3_600_000;
const SHUTDOWN_MS = 5000;

/** The folder of the spool below the data directory. */
export const spoolFolder = (dataDir: string): string => join(dataDir, 'spool', 'traffic');

/**
 * Records model calls off their path: a record is in a file before the caller has its answer, and in Postgres soon
 * after, whatever happens to this process or to Postgres in between.
 */
@Injectable()
export class RequestLog implements OnModuleInit, OnModuleDestroy {
  private spool!: Spool;
  private stopping = false;
  private fresh = false;
  private appended = 0;
  private stored = 0;
  private readers: (() => void)[] = [];
  private wake: () => void = () => undefined;
  private hurry: () => void = () => undefined;
  private running: Promise<void> = Promise.resolve();
  private adopting: Promise<void> = Promise.resolve();
  private timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly requests: Requests,
    private readonly store: RecordStore,
    @Inject(SPOOL_FOLDER) private readonly folder: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    this.spool = await Spool.open(this.folder, (error) =>
      this.logger.error({ error }, 'a record could not be spooled'),
    );
    this.timers = [
      setInterval(() => {
        this.adopting = this.adoptOrphans();
      }, IDLE_MS),
      setInterval(() => void this.makePartitions(), PARTITIONS_EVERY_MS),
    ];
    void this.makePartitions();
    this.running = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.timers.forEach(clearInterval);
    this.stopping = true;
    this.tell();
    this.hurry();
    await Promise.race([this.running, pause(SHUTDOWN_MS)]);
    await this.adopting;
    await this.spool.close();
  }

  /** Refuses a call that could not be recorded, before it costs anything. */
  requireRoom(): void {
    if (this.spool.isFailing || this.spool.bytes > MAX_BYTES)
      throw new ApiError('unavailable', 'the request log takes no more records at the moment', { retryAfter: 1 });
  }

  /** Accepts a record; when this resolves, the death of this process cannot lose it. */
  async append(record: RequestRecord): Promise<void> {
    await this.spool.append(lineOf(record));
    this.appended++;
    this.tell();
  }

  /**
   * Resolves when what this process has recorded so far can be read, or after a moment: who asks for what it has just
   * done shall find it, and who asks while the database is busy or away shall not wait for that. Null when all can be.
   */
  settle(limitMs = 1000): Promise<void> | null {
    return this.stored >= this.appended ? null : this.untilStored(this.appended, Date.now() + limitMs);
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

  private async run(): Promise<void> {
    for (;;) {
      const outcome = await this.storeNext();
      if (outcome === 'few') await this.gather();
      if (outcome === 'few' || outcome === 'many') continue;
      if (this.stopping) return;
      // News does not shorten the pause after a failure: the database would be asked once per call.
      await (outcome === 'failed' ? pause(RETRY_MS) : this.news());
    }
  }

  /** Inserts a batch; when Postgres is away it stays where it is and is read again. */
  private async storeNext(): Promise<'many' | 'few' | 'nothing' | 'failed'> {
    this.fresh = false;
    try {
      requestLogBacklog.set(this.spool.bytes);
      const before = this.appended;
      const batch = await this.spool.next(BATCH_BYTES);
      if (!batch) {
        // Everything that was appended before this look has been read to its end.
        this.stored = before;
        this.tellReaders();
        return 'nothing';
      }
      await this.store.store(batch.lines);
      await batch.release();
      this.stored += batch.appended;
      this.tellReaders();
      return batch.lines.length < GATHERED ? 'few' : 'many';
    } catch (error) {
      this.logger.warn({ error }, 'recorded calls wait for the database');
      return 'failed';
    }
  }

  private tellReaders(): void {
    for (const resolve of this.readers.splice(0)) resolve();
  }

  private async news(): Promise<void> {
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

  /** Waits for more, unless somebody waits for what is there. */
  private async gather(): Promise<void> {
    if (this.readers.length > 0 || this.stopping) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.hurry = resolve;
      timer = setTimeout(resolve, GATHER_MS);
    });
    clearTimeout(timer);
  }

  private tell(): void {
    this.fresh = true;
    this.wake();
  }

  private async adoptOrphans(): Promise<void> {
    try {
      const files = await this.spool.adopt();
      if (files > 0) this.logger.info({ files }, 'took over the records of a process that died');
    } catch (error) {
      this.logger.warn({ error }, 'the spool folder could not be read');
    }
  }

  private async makePartitions(): Promise<void> {
    await this.requests
      .makePartitions()
      .catch((error: unknown) => this.logger.warn({ error }, 'partitions of the request log could not be made'));
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
