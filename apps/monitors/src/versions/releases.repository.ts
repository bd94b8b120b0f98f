import { Injectable } from '@nestjs/common';
import { Database, Releases } from '@signalbox/database';
import { MONITOR_FAMILY } from './versions.repository.js';

/** The result of every gate: no service stores test runs of monitors yet, so none matches. */
const NO_TEST_RUN = { passed: false, unmet: [{ field: 'test_run', message: 'no test run matches' }] };

/** Releases of monitors. */
@Injectable()
export class MonitorReleases extends Releases {
  constructor(db: Database) {
    super(db, MONITOR_FAMILY, () => Promise.resolve(NO_TEST_RUN));
  }
}
