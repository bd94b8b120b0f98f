import { RunColumns, RunEventColumns, RunTimelineColumns } from '@signalbox/runs';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'workflows', name: 'runs' })
@Index('runs_below', { synchronize: false })
@Index('runs_child', ['company_id', 'parent_run_id', 'call_key'], { unique: true })
@Index('runs_completed', { synchronize: false })
@Index('runs_cost', { synchronize: false })
@Index('runs_duration', { synchronize: false })
@Index('runs_ended', { synchronize: false })
@Index('runs_failed', { synchronize: false })
@Index('runs_of_application', ['company_id', 'application_id', 'no'])
@Index('runs_open', { synchronize: false })
@Index('runs_open_called', { synchronize: false })
@Index('runs_of_company', ['company_id', 'no'])
@Index('runs_of_session', ['company_id', 'session_id', 'no'])
@Index('runs_of_span', ['company_id', 'date_created', 'no'])
@Index('runs_of_version', ['company_id', 'workflow_version', 'no'])
@Index('runs_of_workflow', ['company_id', 'workflow_id', 'no'])
@Index('runs_status', { synchronize: false })
export class RunRow extends RunColumns {
  @Column('uuid', { nullable: true }) parent_run_id!: string | null;
  @Column('int') depth!: number;
  @Column('int') workflow_id!: number;
  @Column('text') workflow_ref_name!: string;
  @Column('text', { nullable: true }) workflow_version!: string | null;
  @Column('text', { nullable: true }) release!: string | null;
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('text') session_id!: string;
  @Column('text') trigger!: string;
  @Column('text') root_trigger!: string;
  @Column('text') mode!: string;
  @Column('jsonb') snapshot!: unknown;
  @Column('jsonb', { nullable: true }) input!: unknown;
  @Column('jsonb', { nullable: true }) messages!: unknown;
  @Column('text', { nullable: true }) first_message!: string | null;
  @Column('jsonb') params!: unknown;
  @Column('jsonb') metadata!: unknown;
  @Column('jsonb') secret_names!: unknown;
  @Column('jsonb', { nullable: true }) output!: unknown;
  @Column('jsonb', { nullable: true }) transformed_session!: unknown;
  @Column('text', { nullable: true }) transform_error!: string | null;
  @Column('int') attempts!: number;
  @Column('bigint') prompt_tokens!: number;
  @Column('bigint') completion_tokens!: number;
  @Column('bigint') total_tokens!: number;
  @Column('double precision', { nullable: true }) cost!: number | null;
  @Column('text', { nullable: true }) call_key!: string | null;
  @Column('uuid', { nullable: true }) root_id!: string | null;
  @Column('uuid', { nullable: true }) called_by!: string | null;
  @Column('bigint', { nullable: true }) ends_by!: number | null;
  @Column('double precision', { nullable: true }) max_cost!: number | null;
  @Column('int') lost_executions!: number;
}

@Entity({ schema: 'workflows', name: 'run_events' })
export class RunEventRow extends RunEventColumns {}

@Entity({ schema: 'workflows', name: 'run_timeline' })
@Index('run_timeline_of_run', ['company_id', 'run_id', 'no'])
export class RunTimelineRow extends RunTimelineColumns {}

@Entity({ schema: 'workflows', name: 'run_results' })
export class RunResultRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') run_id!: string;
  @PrimaryColumn('text') kind!: string;
  @PrimaryColumn('text') name!: string;
  @Column('jsonb') result!: unknown;
  @Column('bigint') date_created!: number;
}
