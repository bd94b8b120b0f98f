import { Injectable } from '@nestjs/common';
import type { OnOff } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { Overrides } from '../../config/index.js';

/** The rows of the names in a call. */
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

/**
 * Resolves the names in calls in one statement.
 *
 * SQL: all names of a call resolve in one statement.
 */
@Injectable()
export class ApplicationResolver {
  constructor(private readonly db: Database) {}

  /**
   * Null when there is no such application; without intent when it has none of that name. A reference name takes
   * precedence over a name, and both over the reference name that the given name would get.
   */
  async find(
    companyId: number,
    application: string,
    slug: string,
    intent: string,
  ): Promise<ResolvedApplication | null> {
    const [row] = await this.db.select<ResolvedApplication>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT a.id AS application_id, a.application_ref_name, a.state, a.config AS application, i.id AS intent_id,
           i.intent_group_id, i.agent_id, i.config AS intent, g.config AS intent_group
         FROM traffic.applications a
         LEFT JOIN traffic.intents i ON i.company_id = a.company_id AND i.application_id = a.id
           AND i.action_type = $4 AND i.deleted_at IS NULL
         LEFT JOIN traffic.intent_groups g ON g.company_id = i.company_id AND g.id = i.intent_group_id
         WHERE a.company_id = s.company AND a.deleted_at IS NULL
           AND (a.application_ref_name IN ($2, $3) OR a.application_name = $2)
         ORDER BY a.application_ref_name = $2 DESC, a.application_name = $2 DESC, a.id LIMIT 1 OFFSET 0) x`,
      [application, slug, intent],
    );
    return row ?? null;
  }

  /** An application by its id, with an intent of it when one is named; null when either does not exist. */
  async findById(
    companyId: number,
    applicationId: number,
    intentId: number | null,
  ): Promise<ResolvedApplication | null> {
    const [row] = await this.db.select<ResolvedApplication>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT a.id AS application_id, a.application_ref_name, a.state, a.config AS application, i.id AS intent_id,
           i.intent_group_id, i.agent_id, i.config AS intent, g.config AS intent_group
         FROM traffic.applications a
         LEFT JOIN traffic.intents i ON i.company_id = a.company_id AND i.application_id = a.id
           AND i.id = $3 AND i.deleted_at IS NULL
         LEFT JOIN traffic.intent_groups g ON g.company_id = i.company_id AND g.id = i.intent_group_id
         WHERE a.company_id = s.company AND a.id = $2 AND a.deleted_at IS NULL
           AND ($3::int IS NULL OR i.id IS NOT NULL) OFFSET 0) x`,
      [applicationId, intentId],
    );
    return row ?? null;
  }
}
