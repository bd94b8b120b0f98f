import { Inject, Injectable } from '@nestjs/common';
import { BusClient, Every, serviceCaller } from '@signalbox/bus';
import { identities } from '@signalbox/contracts';
import { type CompanyPass, forEachCompany, LOGGER, type Logger, requireComplete } from '@signalbox/platform';
import { TraceRetention } from '../../otel/index.js';
import { outcomeOf, keptFrom, type RecordedDay } from './retention.js';
import { RequestRetention } from './request-retention.repository.js';
import { SessionRetention } from './session-retention.repository.js';

const EVERY_MS = 86_400_000;
const ASK_MS = 10_000;
const FAILED = 'old requests could not be deleted';

@Injectable()
export class RetentionWorker {
  constructor(
    private readonly old: RequestRetention,
    private readonly sessions: SessionRetention,
    private readonly traces: TraceRetention,
    private readonly bus: BusClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(EVERY_MS, FAILED)
  async deleteOld(stop: AbortSignal): Promise<void> {
    const days = await this.old.days();
    const cutoffs = new Map<number, number | null>();
    const withSessions = await this.sessions.companies();
    const withTraces = await this.traces.companies();
    const inDays = days.flatMap(({ companies }) => companies);
    const pass: CompanyPass = { logger: this.logger, stop, failed: FAILED };
    // A company whose setting cannot be read keeps everything until the next pass.
    let failures = await forEachCompany(new Set([...inDays, ...withSessions, ...withTraces]), pass, async (id) =>
      cutoffs.set(id, await this.cutoffOf(id)),
    );
    const cutoff = (company: number): number => cutoffs.get(company) ?? 0;
    for (const day of days) {
      if (stop.aborted) return;
      const fate = outcomeOf(day, cutoffs);
      if (fate.drop && (await this.isDropped(day))) continue;
      const { companies } = fate.drop ? day : fate;
      failures += await forEachCompany(companies, pass, (id) => this.old.remove(id, day.starts, cutoff(id)));
    }
    failures += await forEachCompany(withTraces, pass, (id) => this.traces.prune(id, cutoff(id), stop));
    failures += await forEachCompany(withSessions, pass, (id) => this.sessions.remove(id, cutoff(id), stop));
    requireComplete(failures);
  }

  /** The requests of a day that cannot be dropped are deleted in batches, and the next pass drops it. */
  private async isDropped(day: RecordedDay): Promise<boolean> {
    try {
      await this.old.drop(day);
      return true;
    } catch (error) {
      this.logger.warn(
        { error, day: new Date(day.starts).toISOString() },
        'the requests of a day could not be dropped',
      );
      return false;
    }
  }

  private async cutoffOf(companyId: number): Promise<number | null> {
    const caller = serviceCaller(companyId, Date.now() + ASK_MS);
    const input = { company_id: companyId };
    const { settings } = await this.bus.call(identities.endpoints.getCompanyProfile, input, caller);
    return keptFrom(settings.retention_days.requests, Date.now());
  }
}
