import { Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { INDEX_CLOSED_DAY } from './closed-days.sql.js';

const EVERY_MS = 3_600_000;

/**
 * Indexes the requests of days that are over by what lists sort them by. New requests are written without these indexes,
 * and the few of today are sorted as they are read.
 */
@Injectable()
export class ClosedDays {
  constructor(private readonly db: Database) {}

  /** One index a statement: late writes to its day wait that long. */
  @Every(EVERY_MS, 'the requests of closed days could not be indexed')
  async index(stop: AbortSignal): Promise<void> {
    for (let more = true; more && !stop.aborted;) {
      const [row] = await this.db.asWorker<{ created: string | null }>(INDEX_CLOSED_DAY);
      more = row?.created != null;
    }
  }
}
