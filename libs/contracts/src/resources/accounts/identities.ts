import { defineContract } from '../../contract.js';
import { type Scope, SCOPES } from '../../contract/caller.js';
import { oneOfType, stringType } from '../../fields/field-types.js';
import { Epoch, Id, List, Nested, Nullable, Str } from '../../fields/fields.js';
import { CompanySettings } from './companies.js';

class KeyText {
  @Str(1, 200) key!: string;
}
export class Identity {
  @Id() company_id!: number;
  @Id() key_id!: number;
  @List(oneOfType(SCOPES)) scopes!: Scope[];
  @Epoch() @Nullable() expires_at!: number | null;
}
export class CompanyPath {
  @Id() company_id!: number;
}
/** The fields of a company that other services need. */
export class CompanyProfile {
  @Id() company_id!: number;
  @Nested(() => CompanySettings) settings!: CompanySettings;
  @List(stringType(1, 200)) egress_allow!: string[];
}
/** Internal: the gateway resolves keys, services ask for settings. */
export const identities = defineContract(
  { name: 'identities', service: 'accounts', tag: 'Internal' },
  {
    resolveKey: { summary: 'Resolve an API key to its company and scopes', input: KeyText, output: Identity },
    getCompanyProfile: {
      summary: 'Get the settings and egress rules of a company',
      input: CompanyPath,
      output: CompanyProfile,
    },
  },
);
