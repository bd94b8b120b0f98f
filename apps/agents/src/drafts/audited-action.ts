const MASK = '[secret]';
const PLACEHOLDERS_ONLY = /^(\s*(Bearer|Basic)?\s*\{\{\s*secrets\.\w+\s*\}\}\s*)+$/i;
const mask = (value: unknown): unknown => (typeof value !== 'string' || PLACEHOLDERS_ONLY.test(value) ? value : MASK);
const maskAll = (values: object): object => Object.fromEntries(Object.entries(values).map(([k, v]) => [k, mask(v)]));

/** Literal values are masked, placeholders are kept. */
export const maskedHeaders = (headers: Readonly<Record<string, string>>): object => maskAll(headers);

/** Literal credentials in auth and headers are masked, placeholders are kept. */
export function auditedAction(record: Record<string, unknown>): Record<string, unknown> {
  const config = record.action_config as { auth?: Record<string, unknown> | null; headers?: object } | null;
  if (!config) return record;
  const { auth, headers } = config;
  const masked = auth && {
    ...auth,
    ...maskAll(Object.fromEntries(Object.entries(auth).filter(([k, v]) => ['token', 'password'].includes(k) && v))),
  };
  return {
    ...record,
    action_config: { ...config, ...(auth ? { auth: masked } : {}), ...(headers ? { headers: maskAll(headers) } : {}) },
  };
}
