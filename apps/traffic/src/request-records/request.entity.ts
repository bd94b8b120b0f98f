import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Partitioned by the day of `date_created`. */
@Entity({ schema: 'traffic', name: 'requests' })
@Index('requests_application', { synchronize: false })
@Index('requests_corrected', { synchronize: false })
@Index('requests_deleted', { synchronize: false })
@Index('requests_failed', { synchronize: false })
@Index('requests_fallbacks', { synchronize: false })
@Index('requests_group', { synchronize: false })
@Index('requests_intent', { synchronize: false })
@Index('requests_newest', ['company_id', 'id'])
@Index('requests_origin', { synchronize: false })
@Index('requests_reference', { synchronize: false })
@Index('requests_session', { synchronize: false })
@Index('requests_time', ['company_id', 'date_created'])
export class RequestRow {
  @PrimaryColumn('int') company_id!: number;
  @Column('bigint') id!: number;
  @PrimaryColumn('uuid') request_id!: string;
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('text', { nullable: true }) session_id!: string | null;
  @Column('text', { nullable: true }) reference_id!: string | null;
  @Column('text') request_type!: string;
  @Column('text') model!: string;
  @Column('text') provider!: string;
  @Column('json') params!: unknown;
  @Column('json', { nullable: true }) response!: unknown;
  @Column('text') status!: string;
  @Column('text', { nullable: true }) failure_class!: string | null;
  @Column('text', { nullable: true }) error_message!: string | null;
  @Column('bigint') prompt_tokens!: number;
  @Column('bigint') completion_tokens!: number;
  @Column('bigint') total_tokens!: number;
  @Column('double precision', { nullable: true }) cost!: number | null;
  @Column('int', { nullable: true }) response_time_ms!: number | null;
  @Column('json') metadata!: unknown;
  @PrimaryColumn('bigint') date_created!: number;
  @Column('int', { nullable: true }) intent_id!: number | null;
  @Column('int', { nullable: true }) intent_group_id!: number | null;
  @Column('text') inference_location!: string;
  @Column('boolean') fallback_used!: boolean;
  @Column('text', { nullable: true }) fallback_reason!: string | null;
  @Column('text', { nullable: true }) primary_model!: string | null;
  @Column('int', { nullable: true }) first_token_time_ms!: number | null;
  @Column('text') evaluation_status!: string;
  @Column('jsonb', { nullable: true }) corrected_response!: unknown;
  @Column('boolean') correction_applied!: boolean;
  @Column('bigint', { nullable: true }) date_updated!: number | null;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
  @Column('int', { nullable: true }) agent_id!: number | null;
  @Column('jsonb', { nullable: true }) objects!: unknown;
  @Column('text', { nullable: true }) origin!: string | null;
  @Column('text', { nullable: true }) origin_id!: string | null;
  @Column('uuid', { nullable: true }) rerun_of!: string | null;
  @Column('text', { nullable: true }) task_id!: string | null;
  @Column('text', { nullable: true }) run_id!: string | null;
  @Column('jsonb', { nullable: true }) answered_usage!: unknown;
  @Column('text', { nullable: true }) fallback_strategy!: string | null;
  @Column('int', { nullable: true }) workflow_id!: number | null;
  @Column('text', { nullable: true }) release!: string | null;
  @Column('int', { nullable: true }) new_messages!: number | null;
}
