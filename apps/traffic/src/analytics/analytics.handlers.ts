import { Serves } from '@signalbox/bus';
import { analytics, type CallTo, type Handlers } from '@signalbox/contracts';
import { Analytics } from './analytics.js';
import { FAULTS, LATENCY, USAGE, VOLUME } from './points.js';

type C = typeof analytics;

@Serves(analytics)
export class AnalyticsHandlers implements Handlers<C> {
  constructor(private readonly analytics: Analytics) {}

  async getRequestVolume({ input, caller }: CallTo<C, 'getRequestVolume'>) {
    const { total, ...volume } = await this.analytics.series(caller.companyId, input, VOLUME);
    return { ...volume, total: total.count };
  }

  getFaultRate({ input, caller }: CallTo<C, 'getFaultRate'>) {
    return this.analytics.series(caller.companyId, input, FAULTS);
  }

  getLatency({ input, caller }: CallTo<C, 'getLatency'>) {
    return this.analytics.series(caller.companyId, input, LATENCY);
  }

  getUsage({ input, caller }: CallTo<C, 'getUsage'>) {
    return this.analytics.series(caller.companyId, input, USAGE);
  }

  getSummary({ input, caller }: CallTo<C, 'getSummary'>) {
    return this.analytics.summary(caller.companyId, input);
  }
}
