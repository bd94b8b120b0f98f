import type { OnOff } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Overrides } from '../config/index.js';

@Entity({ schema: 'traffic', name: 'applications' })
@Index('applications_name', { synchronize: false })
@Index('applications_ref_name', { synchronize: false })
export class ApplicationRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') application_name!: string;
  @Column('text') application_ref_name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') state!: OnOff;
  @Column('jsonb') config!: Overrides;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('boolean') fault_notifications!: boolean;
  @Column('boolean') session_summaries!: boolean;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
