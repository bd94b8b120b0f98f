import type { SecretBag } from '@signalbox/egress';

/** The values for the service that uses them; they travel in its call alone. */
export const secretValues = (bag: SecretBag | undefined): Record<string, string> =>
  Object.fromEntries((bag?.names() ?? []).map((name) => [name, bag?.render(`{{secrets.${name}}}`) ?? '']));
