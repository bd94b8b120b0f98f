import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, operator, ADMIN_SCOPES } from '@signalbox/contracts';
import { ApiKeys } from '../api-keys/index.js';
import { PortalSessions } from '../portal-sessions/index.js';
import { Companies } from './companies.repository.js';
import { requireAllowEntries } from './egress-allow.js';

type C = typeof operator;

/** For the shell of the server; no API key can call these. */
@Serves(operator)
export class OperatorHandlers implements Handlers<C> {
  constructor(
    private readonly companies: Companies,
    private readonly keys: ApiKeys,
    private readonly sessions: PortalSessions,
  ) {}

  async createCompany({ input }: CallTo<C, 'createCompany'>) {
    const companyId = await this.companies.add(input.name);
    const { key } = await this.keys.db.withCompany({ companyId }, (tx) => {
      const after = { id: companyId, name: input.name };
      tx.audit({ action: 'create', resource_type: 'company', resource_id: String(companyId), after });
      return this.keys.makeIn(tx, { name: 'admin', scopes: [...ADMIN_SCOPES] });
    });
    return { company_id: companyId, api_key: key };
  }

  async createCompanyKey({ input }: CallTo<C, 'createCompanyKey'>) {
    const { company_id: companyId, name, scopes } = input;
    await this.companies.get(companyId, companyId);
    const { id, key } = await this.keys.make({ companyId }, { name, scopes });
    return { id, key };
  }

  async setEgressAllow({ input }: CallTo<C, 'setEgressAllow'>) {
    const { company_id: companyId, allow } = input;
    requireAllowEntries(allow);
    await this.companies.setEgressAllow(companyId, allow);
    return this.companies.profile(companyId);
  }

  async createPortalTicket({ input }: CallTo<C, 'createPortalTicket'>) {
    const { ticket, expires_at } = await this.sessions.makeTicket(input.company_id);
    return { company_id: input.company_id, ticket, expires_at };
  }

  listCompanies(_call: CallTo<C, 'listCompanies'>) {
    return this.companies.all();
  }
}
