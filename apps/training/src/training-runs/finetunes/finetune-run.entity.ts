import { RunColumns, RunEventColumns, RunTimelineColumns } from '@signalbox/runs';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'training', name: 'finetune_runs' })
@Index('finetune_runs_ended', { synchronize: false })
@Index('finetune_runs_no', { synchronize: false })
@Index('finetune_runs_open', { synchronize: false })
export class FinetuneRunRow extends RunColumns {
  @Column('text') run_name!: string;
  @Column('int') composition_id!: number;
  @Column('int') intent_group_id!: number;
  @Column('text') base_model!: string;
  @Column('int') provider_id!: number;
  @Column('text') provider_model!: string;
  @Column('jsonb') hyperparameters!: unknown;
  @Column('int') training_request_count!: number;
  @Column('int') validation_request_count!: number;
  @Column('bigint') training_bytes!: number;
  @Column('bigint') validation_bytes!: number;
  @Column('text', { nullable: true }) training_file_id!: string | null;
  @Column('text', { nullable: true }) validation_file_id!: string | null;
  @Column('text', { nullable: true }) provider_job_id!: string | null;
  @Column('text', { nullable: true }) finetuned_model_name!: string | null;
  @Column('int', { nullable: true }) model_id!: number | null;
  @Column('int') progress!: number;
  @Column('jsonb') metrics!: unknown;
  @Column('bigint') contacted_at!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}

@Entity({ schema: 'training', name: 'finetune_run_events' })
export class FinetuneRunEventRow extends RunEventColumns {}

@Entity({ schema: 'training', name: 'finetune_run_timeline' })
@Index('finetune_run_timeline_of_run', ['company_id', 'run_id', 'no'])
export class FinetuneRunTimelineRow extends RunTimelineColumns {}

/** A row as it was when the run was created. */
@Entity({ schema: 'training', name: 'finetune_rows' })
export class FrozenRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') run_id!: string;
  @PrimaryColumn('text') split!: string;
  @PrimaryColumn('int') position!: number;
  @Column('int') copies!: number;
  @Column('text') line!: string;
}

/** Reported by the provider, or by the run itself. */
@Entity({ schema: 'training', name: 'finetune_log' })
@Index('finetune_log_event', { synchronize: false })
@Index('finetune_log_of_run', ['company_id', 'run_id', 'no'])
export class FinetuneLogRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) no!: number;
  @Column('uuid') run_id!: string;
  @Column('text', { nullable: true }) event_id!: string | null;
  @Column('text') level!: string;
  @Column('text') message!: string;
  @Column('bigint') timestamp!: number;
}

@Entity({ schema: 'training', name: 'finetune_metrics' })
export class FinetuneMetricRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') run_id!: string;
  @PrimaryColumn('int') step!: number;
  @Column('double precision') train_loss!: number;
  @Column('double precision', { nullable: true }) validation_loss!: number | null;
  @Column('bigint') timestamp!: number;
}

@Entity({ schema: 'training', name: 'finetune_checkpoints' })
export class FinetuneCheckpointRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') run_id!: string;
  @PrimaryColumn('int') step!: number;
  @Column('text') model_name!: string;
  @Column('jsonb') metrics!: unknown;
  @Column('bigint') timestamp!: number;
}
