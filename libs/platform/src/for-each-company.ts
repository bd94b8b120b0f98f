import type { Logger } from './log.js';

/** How a pass of housekeeping reports and ends. */
export interface CompanyPass {
  logger: Pick<Logger, 'warn'>;
  stop: AbortSignal;
  /** The sentence in the log for a company whose step has failed. */
  failed: string;
}

/**
 * Runs a step of housekeeping for one company after the other, until the process stops. A step that fails is logged with
 * its company, and the companies behind it are served; the next pass repeats it.
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
