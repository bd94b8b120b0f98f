import type { Expected, FlattenVariant, ItemSource, TestInput } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'test-runs', name: 'test_set_items' })
@Index('test_set_items_source', { synchronize: false })
@Index('test_set_items_position', { synchronize: false })
@Index('test_set_items_file_source', { synchronize: false })
@Index('test_set_items_group', { synchronize: false })
@Index('test_set_items_removed', { synchronize: false })
export class ItemRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') test_set_id!: number;
  @Column('int') position!: number;
  @Column('text') source_type!: ItemSource;
  @Column('text', { nullable: true }) source_id!: string | null;
  @Column('text', { nullable: true }) flatten_variant!: FlattenVariant | null;
  @Column('int', { nullable: true }) intent_group_id!: number | null;
  @Column('json') input!: TestInput;
  @Column('json', { nullable: true }) expected_output!: Expected | null;
  @Column('int', { nullable: true }) response_sub_id!: number | null;
  @Column('text', { nullable: true }) baseline_hash!: string | null;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('jsonb', { nullable: true }) file_source!: unknown;
  @Column('int') body_bytes!: number;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
