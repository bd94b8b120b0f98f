import { invalid } from '@signalbox/contracts';
import { SecretBag, secretNamesIn } from '@signalbox/egress';
import type { ActionSecrets } from './agent-snapshot.js';

/** The names in the headers and the `auth` of enabled actions. */
export const secretsOf = (actions: readonly ActionSecrets[]): string[] =>
  secretNamesIn(
    actions
      .filter(({ enabled }) => enabled)
      .map(({ action_config: c }) => [c?.['auth'] ?? null, c?.['headers'] ?? null]),
  );

/** 400 naming every missing secret; unused ones are dropped. */
export function requireSecrets(
  needed: readonly string[],
  given: Readonly<Record<string, string>>,
  by = 'an action',
): SecretBag | undefined {
  const missing = needed.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0)
    throw invalid(
      missing.map((name) => ({ field: `secrets.${name}`, message: `is required by ${by}` })),
      `missing secrets: ${missing.join(', ')}`,
    );
  return needed.length > 0 ? new SecretBag(given).pick(needed) : undefined;
}
