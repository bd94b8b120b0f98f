import { maskLiterals } from '@signalbox/contracts';

/** Literal credentials in auth and headers are masked, placeholders are kept. */
export function auditedAction(record: Record<string, unknown>): Record<string, unknown> {
  const config = record.action_config as { auth?: Record<string, unknown> | null; headers?: object } | null;
  if (!config) return record;
  const { auth, headers } = config;
  const masked = auth && {
    ...auth,
    ...maskLiterals(
      Object.fromEntries(Object.entries(auth).filter(([k, v]) => ['token', 'password'].includes(k) && v)),
    ),
  };
  return {
    ...record,
    action_config: {
      ...config,
      ...(auth ? { auth: masked } : {}),
      ...(headers ? { headers: maskLiterals(headers) } : {}),
    },
  };
}
