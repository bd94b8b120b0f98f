import type { Logger } from './log.js';

export interface CompanyPass {
  logger: Pick<Logger, 'warn'>;
  stop: AbortSignal;
  failed: string;
}

/**
 * Runs a step for one company after the other until the process stops. A failed step is logged and does not stop the
 * others. Returns how many failed: the next pass repeats them, and `requireComplete` makes it soon.
 */
export async function forEachCompany(
  companies: Iterable<number>,
  { logger, stop, failed }: CompanyPass,
  step: (companyId: number) => Promise<unknown>,
): Promise<number> {
  let failures = 0;
  for (const companyId of companies) {
    if (stop.aborted) break;
    try {
      await step(companyId);
    } catch (error) {
      failures++;
      logger.warn({ error, company_id: companyId }, failed);
    }
  }
  return failures;
}

/** A pass that throws is repeated before its interval ends. */
export function requireComplete(failures: number): void {
  if (failures > 0) throw new Error(`${failures} companies are left for another pass`);
}
