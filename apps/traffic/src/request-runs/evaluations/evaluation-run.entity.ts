import { RunColumns, RunEventColumns, RunTimelineColumns } from '@signalbox/runs';
import { Column, Entity, Index } from 'typeorm';

@Entity({ schema: 'traffic', name: 'evaluation_runs' })
@Index('evaluation_runs_ended', { synchronize: false })
@Index('evaluation_runs_of_company', ['company_id', 'no'])
export class EvaluationRunRow extends RunColumns {
  @Column('text', { nullable: true }) name!: string | null;
  @Column('int') application_id!: number;
  @Column('int') intent_id!: number;
  @Column('bigint') start_date!: number;
  @Column('bigint') end_date!: number;
  @Column('int', { array: true }) sentinel_ids!: number[];
  @Column('jsonb') sentinel_overrides!: unknown;
  @Column('jsonb') sentinels!: unknown;
  @Column('int', { nullable: true }) request_limit!: number | null;
  @Column('bigint', { nullable: true }) upto!: number | null;
  @Column('bigint') cursor!: number;
  @Column('int') total_requests!: number;
  @Column('int') evaluated_requests!: number;
  @Column('int') pass_count!: number;
  @Column('int') fault_count!: number;
  @Column('int') na_count!: number;
  @Column('int') error_count!: number;
  @Column('int') judgements!: number;
  @Column('jsonb') errors_by_class!: unknown;
  @Column('text', { nullable: true }) last_error!: string | null;
  @Column('double precision', { nullable: true }) cost!: number | null;
  @Column('text', { array: true, nullable: true }) reset_classes!: string[] | null;
  @Column('bigint', { nullable: true }) reset_cursor!: number | null;
  @Column('bigint', { nullable: true }) reset_upto!: number | null;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}

@Entity({ schema: 'traffic', name: 'evaluation_run_events' })
export class EvaluationRunEventRow extends RunEventColumns {}

@Entity({ schema: 'traffic', name: 'evaluation_run_timeline' })
@Index('evaluation_run_timeline_of_run', ['company_id', 'run_id', 'no'])
export class EvaluationRunTimelineRow extends RunTimelineColumns {}
