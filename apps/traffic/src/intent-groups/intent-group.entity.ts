import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Overrides } from '../config/index.js';

@Entity({ schema: 'traffic', name: 'intent_groups' })
@Index('intent_groups_name', { synchronize: false })
export class IntentGroupRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') intent_group_name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('jsonb') config!: Overrides;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
