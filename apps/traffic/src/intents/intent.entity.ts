import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Overrides } from '../config/index.js';

@Entity({ schema: 'traffic', name: 'intents' })
@Index('intents_action_type', { synchronize: false })
@Index('intents_group', { synchronize: false })
export class IntentRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') application_id!: number;
  @Column('int') intent_group_id!: number;
  @Column('text') action_type!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { nullable: true }) prompt!: string | null;
  @Column('jsonb') config!: Overrides;
  @Column('jsonb') meta!: Record<string, unknown>;
  @Column('int', { nullable: true }) agent_id!: number | null;
  @Column('boolean') notifications_enabled!: boolean;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
