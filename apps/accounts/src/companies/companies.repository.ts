import { Injectable } from '@nestjs/common';
import { Company, type CompanyProfile, type CompanyRow as Listed, notFound } from '@signalbox/contracts';
import { CompanyRepository, Database, type TenantRow, type View } from '@signalbox/database';
import { settingsOf } from './company.js';
import { CompanyRow } from './company.entity.js';

const view: View = {
  resource: 'company',
  table: 'accounts.companies',
  columns: ['id', 'name', 'settings', 'date_created', 'date_updated'],
};

/**
 * Rows of companies.
 *
 * SQL: companies are created and listed outside of any company, by the worker role.
 */
@Injectable()
export class Companies extends CompanyRepository<CompanyRow & TenantRow, Company> {
  constructor(db: Database) {
    super(db, { entity: CompanyRow as never, view, type: 'company' });
  }

  /** Creates a company; only operators call this, so the write belongs to no company. */
  async add(name: string): Promise<number> {
    const [row] = await this.db.asWorker<{ id: number }>(
      `INSERT INTO accounts.companies (name, settings) VALUES ($1, $2) RETURNING id`,
      [name, JSON.stringify(settingsOf({}))],
    );
    return row?.id ?? 0;
  }

  all(): Promise<Listed[]> {
    return this.db.asWorker<Listed>(
      `SELECT id AS company_id, name, egress_allow, date_created FROM accounts.companies WHERE deleted_at IS NULL ORDER BY id`,
    );
  }

  async profile(companyId: number): Promise<CompanyProfile> {
    const [row] = await this.db.select<CompanyRow>(
      companyId,
      `SELECT c.* FROM s, LATERAL (SELECT * FROM accounts.companies t WHERE t.company_id = s.company AND t.deleted_at IS NULL OFFSET 0) c`,
    );
    if (!row) throw notFound('company');
    return { company_id: row.id, settings: settingsOf(row.settings), egress_allow: row.egress_allow };
  }
}
