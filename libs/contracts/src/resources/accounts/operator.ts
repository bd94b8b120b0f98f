import { defineContract } from '../../contract.js';
import { list } from '../../contract/outputs.js';
import { type Scope, SCOPES } from '../../contract/caller.js';
import { oneOfType, stringType } from '../../fields/field-types.js';
import { Epoch, Id, List, Name, Nullable, ShownOnce, Str } from '../../fields/fields.js';
import { EmptyInput } from '../../shapes.js';
import { CompanyPath, CompanyProfile } from './identities.js';

class CreateCompany {
  @Name() name!: string;
}
export class CreatedCompany {
  @Id() company_id!: number;
  @Str() @ShownOnce() @Nullable() api_key!: string | null;
}
class CreateCompanyKey {
  @Id() company_id!: number;
  @Name() name!: string;
  @List(oneOfType(SCOPES), 1, SCOPES.length) scopes!: Scope[];
}
class CreatedKey {
  @Id() id!: number;
  @Str() @ShownOnce() @Nullable() key!: string | null;
}
class EgressAllow extends CompanyPath {
  @List(stringType(1, 200), 0, 100) allow!: string[];
}
export class CompanyRow {
  @Id() company_id!: number;
  @Name() name!: string;
  @List(stringType(1, 200)) egress_allow!: string[];
  @Epoch() date_created!: number;
}

/** A sign-in to the portal that works once. */
export class PortalTicket {
  @Id() company_id!: number;
  @Str() @ShownOnce() @Nullable() ticket!: string | null;
  @Epoch() expires_at!: number;
}

/** Internal: operator commands from the shell of the server. */
export const operator = defineContract(
  { name: 'operator', service: 'accounts', tag: 'Internal' },
  {
    createCompany: { summary: 'Create a company with its first key', input: CreateCompany, output: CreatedCompany },
    createCompanyKey: { summary: 'Add a key to a company', input: CreateCompanyKey, output: CreatedKey },
    setEgressAllow: {
      summary: 'Set the private addresses a company may reach',
      input: EgressAllow,
      output: CompanyProfile,
    },
    createPortalTicket: {
      summary: 'Make a one-use sign-in to the portal with the oldest live admin key of a company',
      input: CompanyPath,
      output: PortalTicket,
    },
    listCompanies: { summary: 'List the companies', input: EmptyInput, output: list(CompanyRow) },
  },
);
