import type { AlertRule, AlertStatus } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'monitors', name: 'monitor_alerts' })
@Index('monitor_alerts_open', { synchronize: false })
@Index('monitor_alerts_of', ['company_id', 'monitor_id', 'id'])
export class MonitorAlertRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') monitor_id!: number;
  @Column('jsonb') rule!: AlertRule;
  @Column('text') rule_key!: string;
  @Column('text') status!: AlertStatus;
  @Column('bigint') opened_at!: number;
  @Column('bigint', { nullable: true }) acknowledged_at!: number | null;
  @Column('bigint', { nullable: true }) resolved_at!: number | null;
  @Column('boolean') resolved_by_hand!: boolean;
  @Column('double precision') value!: number;
  @Column('jsonb') run_ids!: number[];
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
