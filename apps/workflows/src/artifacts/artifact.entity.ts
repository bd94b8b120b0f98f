import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Belongs to a run when it has a `run_id`, else to its workflow. */
@Entity({ schema: 'workflows', name: 'artifacts' })
@Index('artifacts_key', { synchronize: false })
@Index('artifacts_of_run', { synchronize: false })
@Index('artifacts_of_workflow', { synchronize: false })
@Index('artifacts_run', { synchronize: false })
@Index('artifacts_upload', { synchronize: false })
@Index('artifacts_object', { synchronize: false })
export class ArtifactRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') workflow_id!: number;
  @Column('uuid', { nullable: true }) run_id!: string | null;
  @Column('text') key!: string;
  @Column('text') content_type!: string;
  @Column('bigint') size_bytes!: number;
  @Column('text') sha256!: string;
  @Column('uuid', { nullable: true }) upload_id!: string | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
