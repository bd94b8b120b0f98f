import { Inject, Injectable } from '@nestjs/common';
import { BusClient, Every, serviceCaller } from '@signalbox/bus';
import { identities } from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import { TraceRetention } from '../../otel/index.js';
import { outcomeOf, keptFrom, type RecordedDay } from './retention.js';
import { RequestRetention } from './request-retention.repository.js';
import { SessionRetention } from './session-retention.repository.js';

const EVERY_MS = 86_400_000;
const ASK_MS = 10_000;

/** Deletes expired requests, sessions and traces once a day and when the process starts. */
@Injectable()
export class RetentionWorker {
  constructor(
    private readonly old: RequestRetention,
    private readonly sessions: SessionRetention,
    private readonly traces: TraceRetention,
    private readonly bus: BusClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(EVERY_MS, 'old requests could not be deleted')
  async deleteOld(stop: AbortSignal): Promise<void> {
    const days = await this.old.days();
    const cutoffs = new Map<number, number | null>();
    const withSessions = await this.sessions.companies();
    const withTraces = await this.traces.companies();
    const inDays = days.flatMap(({ companies }) => companies);
    for (const company of new Set([...inDays, ...withSessions, ...withTraces]))
      cutoffs.set(company, await this.cutoffOf(company));
    for (const day of days) {
      if (stop.aborted) return;
      await this.settle(day, cutoffs);
    }
    for (const company of withTraces) await this.traces.prune(company, cutoffs.get(company) ?? 0, stop);
    for (const company of withSessions) await this.sessions.remove(company, cutoffs.get(company) ?? 0, stop);
  }

  private async settle(day: RecordedDay, cutoffs: ReadonlyMap<number, number | null>): Promise<void> {
    const fate = outcomeOf(day, cutoffs);
    if (fate.drop) return this.old.drop(day);
    for (const company of fate.companies) await this.old.remove(company, day.starts, cutoffs.get(company) ?? 0);
  }

  /** A company whose setting cannot be read keeps everything until the next run. */
  private async cutoffOf(companyId: number): Promise<number | null> {
    const caller = serviceCaller(companyId, Date.now() + ASK_MS);
    try {
      const input = { company_id: companyId };
      const { settings } = await this.bus.call(identities.endpoints.getCompanyProfile, input, caller);
      return keptFrom(settings.retention_days.requests, Date.now());
    } catch (error) {
      this.logger.warn({ error, company_id: companyId }, 'the retention of a company is not known');
      return null;
    }
  }
}
