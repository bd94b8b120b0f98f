import { type CompanySettings, type InputOf, parse, type RetentionDays } from '@signalbox/contracts';
import { type companies, CompanySettings as Settings } from '@signalbox/contracts';

type Change = InputOf<typeof companies.endpoints.updateCompany>;

export function settingsOf(stored: Partial<CompanySettings>): CompanySettings {
  return parse(Settings, { retention_days: {}, ...stored });
}

/** By field. */
export function modelsOfSettings({ settings = {} }: Change): Record<string, string> {
  const names = (['default_model', 'judge_model', 'help_model'] as const).flatMap((name) => {
    const model = settings[name];
    return model == null ? [] : [[`settings.${name}`, model] as const];
  });
  return Object.fromEntries(names);
}

/** Merges settings by key, and retention days too. */
export function updateCompany(row: { name: string; settings: Partial<CompanySettings> }, change: Change) {
  const { retention_days: days, ...rest } = change.settings ?? {};
  const settings = {
    ...row.settings,
    ...rest,
    ...(days ? { retention_days: { ...row.settings.retention_days, ...days } as RetentionDays } : {}),
  };
  return { set: { name: change.name ?? row.name, settings: settingsOf(settings) } };
}
