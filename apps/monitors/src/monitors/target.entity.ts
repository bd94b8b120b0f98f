import type { TargetType } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'monitors', name: 'monitor_targets' })
@Index('monitor_targets_once', { synchronize: false })
@Index('monitor_targets_of', { synchronize: false })
export class MonitorTargetRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') monitor_id!: number;
  @Column('text') target_type!: TargetType;
  @Column('int') target_id!: number;
  @Column('text') target_name!: string;
  /** `date_updated` of the resource when it had this name; 0 when unknown. */
  @Column('bigint') name_date!: number;
  @Column('int') sample_rate!: number;
  @Column('boolean') enabled!: boolean;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
