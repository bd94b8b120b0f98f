import { ADMIN_SCOPES } from '@signalbox/contracts';
import { Operator } from './operator.js';

/** Of a new company, or a new key when an interrupted first boot left a company whose key was never stored. */
export function keyOfFirstCompany(natsUrl: string, name: string): Promise<string> {
  return Operator.during(natsUrl, async (operator) => {
    const created = (await operator.listCompanies()).find((company) => company.name === name);
    const key =
      created === undefined
        ? (await operator.createCompany(name)).api_key
        : (await operator.createKey(created.company_id, 'admin', [...ADMIN_SCOPES])).key;
    if (key === null) throw new Error(`the key of the company "${name}" was not shown`);
    return key;
  });
}
