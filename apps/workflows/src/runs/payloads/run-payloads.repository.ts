import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { MonitorPayloads } from '@signalbox/runs';
import { RUN_PAYLOADS } from './run-payloads.sql.js';

@Injectable()
export class RunPayloads extends MonitorPayloads {
  constructor(db: Database) {
    super(db, RUN_PAYLOADS);
  }
}
