import { Inject, Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { LOGGER, type Logger } from '@signalbox/platform';
import { INDEX_CLOSED_DAY } from './closed-days.sql.js';

const EVERY_MS = 3_600_000;
const PUT_OFF_MS = 24 * EVERY_MS;
const TOOK_TOO_LONG = '57014';

/** A day for which one index was created, or failed with an SQLSTATE. */
interface IndexedDay {
  day: string;
  failure: string | null;
}

/**
 * Indexes the requests of past days by the columns that lists sort by. New requests are written without these indexes,
 * and the few of today are sorted as they are read. A day that cannot be indexed does not delay older ones.
 */
@Injectable()
export class ClosedDays {
  /** Days that are too large for the time limit of a statement, and when they are tried again. */
  private readonly putOff = new Map<string, number>();

  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** One index per statement: late writes to its day wait that long. */
  @Every(EVERY_MS, 'the requests of closed days could not be indexed')
  async index(stop: AbortSignal): Promise<void> {
    const skipped = this.stillPutOff();
    while (!stop.aborted) {
      const [tried] = await this.db.asWorker<IndexedDay>(INDEX_CLOSED_DAY, [skipped]);
      if (!tried) return;
      if (tried.failure === null) continue;
      skipped.push(tried.day);
      this.failed(tried);
    }
  }

  private stillPutOff(): string[] {
    for (const [day, until] of this.putOff) if (until <= Date.now()) this.putOff.delete(day);
    return [...this.putOff.keys()];
  }

  private failed({ day, failure }: IndexedDay): void {
    this.logger.warn({ day, code: failure }, 'the requests of a closed day could not be indexed');
    if (failure === TOOK_TOO_LONG) this.putOff.set(day, Date.now() + PUT_OFF_MS);
  }
}
