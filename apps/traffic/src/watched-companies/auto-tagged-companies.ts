import { Injectable } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { AnnouncedCompanies } from './announced-companies.js';
import { COMPANIES_WITH_RULES } from './watched-companies.sql.js';

@Injectable()
export class AutoTaggedCompanies extends AnnouncedCompanies {
  constructor(db: Database, bus: BusConnection) {
    super(db, bus, {
      subject: 'broadcast.tag-rules',
      members: COMPANIES_WITH_RULES,
    });
  }
}
