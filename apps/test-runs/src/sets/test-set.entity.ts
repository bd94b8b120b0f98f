import type { ConsumerKind } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'test-runs', name: 'test_sets' })
@Index('test_sets_name', { synchronize: false })
export class TestSetRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('jsonb') consumer_kinds!: ConsumerKind[];
  @Column('jsonb') criteria_ids!: number[];
  @Column('jsonb') tags!: string[];
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('int') item_count!: number;
  @Column('int') next_position!: number;
  @Column('bigint', { nullable: true }) last_run_at!: number | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
