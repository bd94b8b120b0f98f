import type { OnOff, ScriptLanguage, WorkflowMode } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'workflows', name: 'workflows' })
@Index('workflows_of_application', { synchronize: false })
@Index('workflows_ref_name', { synchronize: false })
@Index('workflows_object', { synchronize: false })
export class WorkflowRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('text') workflow_ref_name!: string;
  @Column('text') workflow_name!: string;
  @Column('text') description!: string;
  @Column('text') language!: ScriptLanguage;
  @Column('text') script_key!: string;
  @Column('text') script_sha256!: string;
  @Column('boolean') script_has_transform!: boolean;
  @Column('text', { nullable: true }) transform_session!: string | null;
  @Column('text') execution_mode!: WorkflowMode;
  @Column('jsonb', { nullable: true }) input_schema!: Record<string, unknown> | null;
  @Column('jsonb', { nullable: true }) output_schema!: Record<string, unknown> | null;
  @Column('boolean') allow_inproc_nesting!: boolean;
  @Column('jsonb') inproc_nested_refs!: string[];
  @Column('int') timeout_seconds!: number;
  @Column('int') memory_mb!: number;
  @Column('text') status!: OnOff;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('text') draft_hash!: string;
  @Column('text', { nullable: true }) published_hash!: string | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
