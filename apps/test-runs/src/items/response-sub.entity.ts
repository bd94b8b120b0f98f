import type { Expected } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A replaced or removed override is marked as deleted. */
@Entity({ schema: 'test-runs', name: 'response_subs' })
@Index('response_subs_of_item', ['company_id', 'item_id', 'id'])
export class ResponseSubRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') item_id!: number;
  @Column('json') expected_output!: Expected;
  @Column('text', { nullable: true }) note!: string | null;
  @Column('int', { nullable: true }) author_key_id!: number | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
