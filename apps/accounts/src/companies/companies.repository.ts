import { Injectable } from '@nestjs/common';
import { Company, type CompanyProfile, type CompanyRow as Listed, notFound } from '@signalbox/contracts';
import { CompanyRepository, Database, type TenantRow } from '@signalbox/database';
import { settingsOf } from './company.js';
import { CompanyRow } from './company.entity.js';
import { ADD_COMPANY, ALL_COMPANIES, PROFILE_OF_COMPANY, SET_EGRESS_ALLOW, view } from './companies.sql.js';

/** SQL: companies are created and listed outside of any company, by the worker role. */
@Injectable()
export class Companies extends CompanyRepository<CompanyRow & TenantRow, Company> {
  constructor(db: Database) {
    super(db, { entity: CompanyRow as never, view, type: 'company' });
  }

  /** For operators: the write belongs to no company. */
  async add(name: string): Promise<number> {
    const [row] = await this.db.asWorker<{ id: number }>(ADD_COMPANY, [name, JSON.stringify(settingsOf({}))]);
    return row?.id ?? 0;
  }

  /** SQL and an audit entry of its own: the record of a company does not show the list. */
  async setEgressAllow(companyId: number, egress_allow: string[]): Promise<void> {
    await this.db.withCompany({ companyId }, async (tx) => {
      const { row } = await this.lock(tx, companyId);
      await tx.query(SET_EGRESS_ALLOW, [companyId, egress_allow]);
      tx.audit({
        action: 'update',
        resource_type: 'company',
        resource_id: String(companyId),
        before: { egress_allow: row.egress_allow },
        after: { egress_allow },
      });
    });
  }

  all(): Promise<Listed[]> {
    return this.db.asWorker<Listed>(ALL_COMPANIES);
  }

  async profile(companyId: number): Promise<CompanyProfile> {
    const [row] = await this.db.select<CompanyRow>(companyId, PROFILE_OF_COMPANY);
    if (!row) throw notFound('company');
    return { company_id: row.id, settings: settingsOf(row.settings), egress_allow: row.egress_allow };
  }
}
