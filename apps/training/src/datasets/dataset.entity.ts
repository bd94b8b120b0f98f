import type { DatasetStatus } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'training', name: 'datasets' })
@Index('datasets_name', { synchronize: false })
@Index('datasets_group', { synchronize: false })
export class DatasetRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') dataset_name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('int') intent_group_id!: number;
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('text') status!: DatasetStatus;
  @Column('int') request_count!: number;
  @Column('jsonb') tags!: string[];
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
