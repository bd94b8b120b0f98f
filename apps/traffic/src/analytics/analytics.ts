import { Injectable } from '@nestjs/common';
import type { AnalyticsQuery, AnalyticsSummary, BucketedSpan, ModelUsage } from '@signalbox/contracts';
import { type Kind, MODEL_USAGE, SUMMARY } from './points.js';
import { Rollups } from './rollups.repository.js';
import type { AnalyticsFilter } from './rollups.sql.js';
import { emptySeries, type MetricRows, type Series, seriesOf } from './series.js';
import { SeriesLabels } from './series-labels.repository.js';
import { bucketsOf, spanOf } from './time-buckets.js';

function of(query: AnalyticsQuery): AnalyticsFilter {
  const { application_id, intent_id, intent_group_id, agent_id, model, request_type } = query;
  return { application_id, intent_id, intent_group_id, agent_id, model, request_type };
}

/** Without groups there is exactly one series, even without requests. */
const oneSeries = <Point>(rows: MetricRows, buckets: readonly number[], kind: Kind<Point>): Series<Point> =>
  seriesOf(rows, buckets, kind)[0] ?? emptySeries('all', buckets, kind);

/** Metrics of recorded requests. Reads include the calls that were answered before them. */
@Injectable()
export class Analytics {
  constructor(
    private readonly rollups: Rollups,
    private readonly labels: SeriesLabels,
  ) {}

  async series<Point>(companyId: number, query: AnalyticsQuery, kind: Kind<Point>) {
    const { bucket, group_by } = query;
    const span = spanOf(query, Date.now());
    const buckets = bucketsOf(span, bucket);
    const rows = await this.rollups.series(companyId, { span, narrowing: of(query), ...kind }, bucket, group_by);
    const series = group_by === 'none' ? [oneSeries(rows, buckets, kind)] : seriesOf(rows, buckets, kind);
    const keys = series.map(({ key }) => key);
    const label = await this.labels.of(companyId, group_by, keys);
    const labelled = series.map(({ key, points }) => ({ key, label: label(key), points }));
    return { bucket, series: labelled, total: kind.point(rows.total()) };
  }

  async summary(companyId: number, query: AnalyticsQuery): Promise<AnalyticsSummary> {
    const span = spanOf(query, Date.now());
    const { figures, sessions } = await this.rollups.summary(companyId, { span, narrowing: of(query), ...SUMMARY });
    const { request_count, ...others } = SUMMARY.point(figures);
    return { request_count, session_count: sessions, ...others };
  }

  /** For requests of any type. */
  async ofModel(companyId: number, model: string, query: BucketedSpan): Promise<ModelUsage> {
    const { bucket } = query;
    const span = spanOf(query, Date.now());
    const buckets = bucketsOf(span, bucket);
    const wanted = { span, narrowing: { model, request_type: 'any' as const }, ...MODEL_USAGE };
    const rows = await this.rollups.series(companyId, wanted, bucket, 'none');
    return { bucket, points: oneSeries(rows, buckets, MODEL_USAGE).points };
  }
}
