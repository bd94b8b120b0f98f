import { type ConsumerKind, invalid } from '@signalbox/contracts';
import { SecretBag } from '@signalbox/egress';

/** 400 naming every missing secret; unused ones are dropped. */
export function requiredSecrets(
  kind: ConsumerKind,
  needed: readonly string[],
  given: Record<string, string>,
): SecretBag | undefined {
  if (kind === 'MODEL') return undefined;
  // A script names its secrets while it runs.
  if (kind === 'WORKFLOW') return Object.keys(given).length > 0 ? new SecretBag(given) : undefined;
  const missing = needed.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0)
    throw invalid(
      missing.map((name) => ({ field: `secrets.${name}`, message: 'is required by the consumer' })),
      `missing secrets: ${missing.join(', ')}`,
    );
  return needed.length > 0 ? new SecretBag(given).pick(needed) : undefined;
}
