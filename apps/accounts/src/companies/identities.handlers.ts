import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, identities, notFound } from '@signalbox/contracts';
import { keyIdOf } from '@signalbox/platform';
import { ApiKeys } from '../api-keys/index.js';
import { Companies } from './companies.repository.js';

type C = typeof identities;

@Serves(identities)
export class IdentityHandlers implements Handlers<C> {
  constructor(
    private readonly keys: ApiKeys,
    private readonly companies: Companies,
  ) {}

  async resolveKey({ input }: CallTo<C, 'resolveKey'>) {
    const keyId = keyIdOf(input.key);
    if (keyId === null) throw notFound('key');
    return this.keys.resolve(keyId, input.key);
  }

  getCompanyProfile({ input }: CallTo<C, 'getCompanyProfile'>) {
    return this.companies.profile(input.company_id);
  }
}
