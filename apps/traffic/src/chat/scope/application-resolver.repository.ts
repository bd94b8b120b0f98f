import { Injectable } from '@nestjs/common';
import type { OnOff } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { Overrides } from '../../config/index.js';
import { RESOLVE_IDS, RESOLVE_NAMES } from './application-resolver.sql.js';

export interface ResolvedApplication {
  application_id: number;
  application_ref_name: string;
  state: OnOff;
  application: Overrides;
  intent_id: number | null;
  intent_group_id: number | null;
  agent_id: number | null;
  intent: Overrides | null;
  intent_group: Overrides | null;
}

/** SQL: all names of a call resolve in one statement. */
@Injectable()
export class ApplicationResolver {
  constructor(private readonly db: Database) {}

  /**
   * Null when there is no such application; without an intent when it has none of that name. A reference name takes
   * precedence over a name, and both over the reference name that the given name would get.
   */
  async find(
    companyId: number,
    application: string,
    slug: string,
    intent: string,
  ): Promise<ResolvedApplication | null> {
    const [row] = await this.db.select<ResolvedApplication>(companyId, RESOLVE_NAMES, [application, slug, intent]);
    return row ?? null;
  }

  async findById(
    companyId: number,
    applicationId: number,
    intentId: number | null,
  ): Promise<ResolvedApplication | null> {
    const [row] = await this.db.select<ResolvedApplication>(companyId, RESOLVE_IDS, [applicationId, intentId]);
    return row ?? null;
  }
}
