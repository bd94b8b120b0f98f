import { Injectable } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { AnnouncedCompanies } from './announced-companies.js';

/** The companies with enabled sentinels. */
@Injectable()
export class EvaluatedCompanies extends AnnouncedCompanies {
  constructor(db: Database, bus: BusConnection) {
    super(db, bus, {
      subject: 'broadcast.sentinels',
      sql: `SELECT DISTINCT company_id FROM traffic.sentinels WHERE state = 'ENABLED' AND deleted_at IS NULL`,
    });
  }
}
