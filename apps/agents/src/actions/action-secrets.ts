import { invalid } from '@signalbox/contracts';
import { SecretBag, secretNamesIn } from '@signalbox/egress';
import type { ActionSecrets } from '../drafts/index.js';

export const secretsOf = (actions: readonly ActionSecrets[]): string[] =>
  secretNamesIn(
    actions
      .filter(({ enabled }) => enabled)
      .map(({ action_config: c }) => [c?.['auth'] ?? null, c?.['headers'] ?? null]),
  );

/** The required secrets of a call; 400 naming every missing one. Unused ones are dropped. */
export function requireSecrets(
  needed: readonly string[],
  given: Readonly<Record<string, string>>,
): SecretBag | undefined {
  const missing = needed.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0)
    throw invalid(
      missing.map((name) => ({ field: `secrets.${name}`, message: 'is required by an action' })),
      `missing secrets: ${missing.join(', ')}`,
    );
  return needed.length > 0 ? new SecretBag(given).pick(needed) : undefined;
}
