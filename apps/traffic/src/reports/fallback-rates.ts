import { Injectable } from '@nestjs/common';
import type { FallbackGroup, FallbackSummary } from '@signalbox/contracts';
import { Analytics, type Kind, type Metrics, rate, spanOf } from '../analytics/index.js';
import { type FallbackFilters, FallbackReports } from './fallback-reports.repository.js';

const RECORDED: Kind<{ recorded: number; fallbacks: number }> = {
  measures: ['recorded', 'fallbacks'],
  distributions: [],
  point: ({ recorded, fallbacks }: Metrics) => ({ recorded, fallbacks }),
};

const dayOf = (timestamp: number): string => new Date(timestamp).toISOString().slice(0, 10);

/**
 * Fallbacks with their shares of the requests, as the rollups count them: of the requests of the day, of those that
 * were sent to the primary model, else of all.
 */
@Injectable()
export class FallbackRates {
  constructor(
    private readonly analytics: Analytics,
    private readonly reports: FallbackReports,
  ) {}

  async summary(companyId: number, input: FallbackFilters, group: FallbackGroup): Promise<FallbackSummary[]> {
    const counts = await this.reports.counts(companyId, input, group);
    const requests = await this.requestsOf(companyId, input, group);
    return counts.map(({ key, count }) => ({ key, label: key, count, rate: rate(count, requests(key)) }));
  }

  private async requestsOf(companyId: number, input: FallbackFilters, group: FallbackGroup) {
    const { start: start_date, end: end_date } = spanOf(input, Date.now());
    const query = { ...input, start_date, end_date, bucket: 'day' as const };
    if (group !== 'primary_model') {
      const { series, total } = await this.analytics.series(companyId, { ...query, group_by: 'none' }, RECORDED);
      if (group !== 'day') return () => total.recorded;
      const days = new Map(series[0]?.points.map(({ timestamp, recorded }) => [dayOf(timestamp), recorded]));
      return (key: string) => days.get(key) ?? 0;
    }
    // Sent to a model: the requests that it answered first, and those that a fallback answered for it.
    const { model: _model, ...every } = query;
    const { series } = await this.analytics.series(companyId, { ...every, group_by: 'model' }, RECORDED);
    const { model: _filter, ...scope } = input;
    const replaced = new Map(
      (await this.reports.counts(companyId, scope, 'primary_model')).map(({ key, count }) => [key, count]),
    );
    const answered = new Map(
      series.map(({ key, points }) => [
        key,
        points.reduce((sum, { recorded, fallbacks }) => sum + recorded - fallbacks, 0),
      ]),
    );
    return (key: string) => (answered.get(key) ?? 0) + (replaced.get(key) ?? 0);
  }
}
