import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'evaluation_results' })
@Index('evaluation_results_application', { synchronize: false })
@Index('evaluation_results_current', { synchronize: false })
@Index('evaluation_results_failed', { synchronize: false })
@Index('evaluation_results_faults', { synchronize: false })
@Index('evaluation_results_group', { synchronize: false })
@Index('evaluation_results_intent', { synchronize: false })
@Index('evaluation_results_severity', ['company_id', 'severity', 'id'])
@Index('evaluation_results_request', ['company_id', 'request_id', 'id'])
@Index('evaluation_results_sentinel', ['company_id', 'sentinel_id', 'id'])
@Index('evaluation_results_run', { synchronize: false })
@Index('evaluation_results_date', ['company_id', 'request_date'])
@Index('evaluation_results_time', ['company_id', 'date_created', 'id'])
export class EvaluationResultRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: number;
  @Column('uuid') evaluation_request_id!: string;
  @Column('int', { nullable: true }) evaluation_id!: number | null;
  @Column('uuid') request_id!: string;
  @Column('bigint') request_date!: number;
  @Column('text', { nullable: true }) session_id!: string | null;
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('int', { nullable: true }) intent_id!: number | null;
  @Column('int', { nullable: true }) intent_group_id!: number | null;
  @Column('int') sentinel_id!: number;
  @Column('text') sentinel_name!: string;
  @Column('int') severity!: number;
  @Column('text') status!: string;
  @Column('text', { nullable: true }) failure_class!: string | null;
  @Column('text') description!: string;
  @Column('double precision', { nullable: true }) confidence!: number | null;
  @Column('text', { nullable: true }) correction!: string | null;
  @Column('bigint') eval_time_ms!: number;
  @Column('jsonb') usage!: unknown;
  @Column('boolean') is_current!: boolean;
  @Column('bigint') date_created!: number;
}
