import type { CheckErrorCode, CheckStatus, FailureClass, JudgedOutcome, MonitorOutcome } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'monitors', name: 'monitor_checks' })
@Index('monitor_checks_of', ['company_id', 'monitor_id', 'id'])
export class MonitorCheckRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') monitor_id!: number;
  @Column('int') monitor_version_id!: number;
  @Column('text') version_number!: string;
  @Column('int') test_set_id!: number;
  @Column('text') status!: CheckStatus;
  @Column('int') total!: number;
  @Column('int') matched!: number;
  @Column('int') mismatched!: number;
  @Column('int') error_count!: number;
  @Column('double precision', { nullable: true }) cost!: number | null;
  @Column('bigint', { nullable: true }) completed_at!: number | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}

@Entity({ schema: 'monitors', name: 'monitor_check_items' })
export class MonitorCheckItemRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int') check_id!: number;
  @PrimaryColumn('int') test_set_item_id!: number;
  @Column('int') position!: number;
  @Column('text', { nullable: true }) expected_outcome!: JudgedOutcome | null;
  @Column('text', { nullable: true }) outcome!: MonitorOutcome | null;
  @Column('text', { nullable: true }) failure_class!: FailureClass | null;
  @Column('text', { nullable: true }) error_code!: CheckErrorCode | null;
}
