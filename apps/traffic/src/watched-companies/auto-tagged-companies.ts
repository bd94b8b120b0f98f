import { Injectable } from '@nestjs/common';
import { BusConnection } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { AnnouncedCompanies } from './announced-companies.js';

/** The companies with rules for new requests. */
@Injectable()
export class AutoTaggedCompanies extends AnnouncedCompanies {
  constructor(db: Database, bus: BusConnection) {
    super(db, bus, {
      subject: 'broadcast.tag-rules',
      sql: 'SELECT DISTINCT company_id FROM traffic.tag_rules WHERE enabled AND apply_to_new AND deleted_at IS NULL',
    });
  }
}
