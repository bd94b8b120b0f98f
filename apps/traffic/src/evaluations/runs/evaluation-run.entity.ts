import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The evaluation of recorded requests by sentinels. */
@Entity({ schema: 'traffic', name: 'evaluation_runs' })
@Index('evaluation_runs_ended', { synchronize: false })
@Index('evaluation_runs_of_company', ['company_id', 'no'])
export class EvaluationRunRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') id!: string;
  @Column('bigint', { generated: 'identity' }) no!: number;
  @Column('text') status!: string;
  @Column('text') work_kind!: string;
  @Column('boolean') has_secrets!: boolean;
  @Column('int') last_seq!: number;
  @Column('text', { nullable: true }) failure_class!: string | null;
  @Column('text', { nullable: true }) error_code!: string | null;
  @Column('text', { nullable: true }) error_message!: string | null;
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
  @Column('bigint') date_created!: number;
  @Column('bigint', { nullable: true }) started_at!: number | null;
  @Column('bigint', { nullable: true }) completed_at!: number | null;
}
/** An event of the stream of an evaluation run. */
@Entity({ schema: 'traffic', name: 'evaluation_run_events' })
export class EvaluationRunEventRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') run_id!: string;
  @PrimaryColumn('int') seq!: number;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}
/** An entry of the timeline of an evaluation run. */
@Entity({ schema: 'traffic', name: 'evaluation_run_timeline' })
@Index('evaluation_run_timeline_of_run', ['company_id', 'run_id', 'no'])
export class EvaluationRunTimelineRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) no!: number;
  @Column('uuid') run_id!: string;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}
