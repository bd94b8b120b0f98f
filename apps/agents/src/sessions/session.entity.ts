import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'sessions' })
@Index('sessions_active', ['company_id', 'last_activity'])
@Index('sessions_key', { synchronize: false })
export class SessionRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') agent_id!: number;
  @Column('text') session_id!: string;
  @Column('jsonb') state!: unknown;
  @Column('int', { nullable: true }) feedback_score!: number | null;
  @Column('text', { nullable: true }) feedback_text!: string | null;
  @Column('int', { nullable: true }) feedback_key_id!: number | null;
  @Column('bigint', { nullable: true }) feedback_at!: number | null;
  @Column('bigint') last_activity!: number;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
