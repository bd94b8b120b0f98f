import { defineContract } from '../../contract.js';
import { Default, Epoch, field, Id, Int, Name, Nested, Nullable, Optional, partial } from '../../fields/fields.js';
import { EmptyInput } from '../../shapes.js';
import { modelNameType } from '../model-names.js';

/** How long recorded runs are kept, in days; null keeps them forever. */
export class RetentionDays {
  @Int(1, 3650) @Nullable() @Default(null) requests!: number | null;
  @Int(1, 3650) @Nullable() @Default(null) tasks!: number | null;
  @Int(1, 3650) @Nullable() @Default(null) workflow_runs!: number | null;
  @Int(1, 3650) @Nullable() @Default(null) monitor_runs!: number | null;
}

export class CompanySettings {
  @field(modelNameType) @Default('simulated-echo') default_model!: string;
  @field(modelNameType) @Default('simulated-echo') judge_model!: string;
  @field(modelNameType) @Nullable() @Default(null) help_model!: string | null;
  @Nested(() => RetentionDays) retention_days!: RetentionDays;
}

/** The tenant that owns every resource a key can access. */
export class Company {
  @Id() id!: number;
  @Name() name!: string;
  @Nested(() => CompanySettings) settings!: CompanySettings;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

class RetentionChange extends partial(RetentionDays) {}

class SettingsChange extends partial(CompanySettings, 'retention_days') {
  @Nested(() => RetentionChange) @Optional() retention_days?: RetentionChange;
}
class UpdateCompany {
  @Name() @Optional() name?: string;
  @Nested(() => SettingsChange) @Optional() settings?: SettingsChange;
}

export const companies = defineContract(
  { name: 'companies', service: 'accounts', tag: 'Company' },
  {
    getCompany: { get: '/company', summary: 'Get the company of the key', input: EmptyInput, output: Company },
    updateCompany: {
      put: '/company',
      summary: 'Change name or settings of the company',
      errors: ['not_found'],
      scope: 'admin',
      input: UpdateCompany,
      output: Company,
    },
  },
);
