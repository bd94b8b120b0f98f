import { Injectable } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { AnnouncedCompanies } from './announced-companies.js';
import { COMPANIES_WITH_SENTINELS } from './watched-companies.sql.js';

@Injectable()
export class EvaluatedCompanies extends AnnouncedCompanies {
  constructor(db: Database, bus: BusConnection) {
    super(db, bus, {
      subject: 'broadcast.sentinels',
      members: COMPANIES_WITH_SENTINELS,
    });
  }
}
