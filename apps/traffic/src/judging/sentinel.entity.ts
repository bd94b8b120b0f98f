import type { OnOff, SentinelDirective } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'sentinels' })
@Index('sentinels_name', { synchronize: false })
export class SentinelRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') sentinel_name!: string;
  @Column('int') severity!: number;
  @Column('int') intent_group_id!: number;
  @Column('jsonb') sentinel_directive!: SentinelDirective;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('text') state!: OnOff;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
