import type { AlertRule, MonitorConfig, MonitorStatus } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** With the draft of its configuration. */
@Entity({ schema: 'monitors', name: 'monitors' })
@Index('monitors_name', { synchronize: false })
export class MonitorRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') name!: string;
  @Column('text') description!: string;
  @Column('text') status!: MonitorStatus;
  @Column('bigint') activated_at!: number;
  @Column('jsonb') config!: MonitorConfig;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('jsonb') alert_rules!: AlertRule[];
  @Column('text', { nullable: true }) shadow_version!: string | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
