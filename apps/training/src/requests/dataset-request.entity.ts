import type { DatasetSource, TrainingMessage, TrainingResponse } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'training', name: 'dataset_requests' })
@Index('dataset_requests_request', { synchronize: false })
@Index('dataset_requests_of_dataset', { synchronize: false })
export class DatasetRequestRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') dataset_id!: number;
  @Column('uuid', { nullable: true }) request_id!: string | null;
  @Column('text') source!: DatasetSource;
  @Column('boolean') is_corrected!: boolean;
  @Column('json') messages!: TrainingMessage[];
  @Column('json') response!: TrainingResponse;
  @Column('json', { nullable: true }) tools!: unknown[] | null;
  @Column('jsonb', { nullable: true }) reasoning!: Record<string, unknown> | null;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('text') input_hash!: string;
  @Column('int') body_bytes!: number;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
