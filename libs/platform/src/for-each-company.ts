import type { Logger } from './log.js';

export interface CompanyPass {
  logger: Pick<Logger, 'warn'>;
  stop: AbortSignal;
  failed: string;
}

/**
 * Runs a step for one company after the other until the process stops. A failed step is logged and does not stop the
 * others; the next pass repeats it.
 */
export async function forEachCompany(
  companies: Iterable<number>,
  { logger, stop, failed }: CompanyPass,
  step: (companyId: number) => Promise<unknown>,
): Promise<void> {
  for (const companyId of companies) {
    if (stop.aborted) return;
    try {
      await step(companyId);
    } catch (error) {
      logger.warn({ error, company_id: companyId }, failed);
    }
  }
}
