import type { CompositionEntry } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'training', name: 'compositions' })
@Index('compositions_name', { synchronize: false })
@Index('compositions_group', { synchronize: false })
export class CompositionRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') composition_name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('int') intent_group_id!: number;
  @Column('jsonb') entries!: CompositionEntry[];
  @Column('double precision') validation_split!: number;
  @Column('int') seed!: number;
  @Column('jsonb') exclude_test_set_ids!: number[];
  /** Number of excluded rows by dataset id, as counted last. */
  @Column('jsonb') exclusions!: Record<string, number>;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
