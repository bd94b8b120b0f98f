import type { SecretBag } from '@signalbox/egress';

/** Only for the call to the service that uses the values. */
export const secretValues = (bag: SecretBag | undefined): Record<string, string> =>
  Object.fromEntries((bag?.names() ?? []).map((name) => [name, bag?.render(`{{secrets.${name}}}`) ?? '']));
