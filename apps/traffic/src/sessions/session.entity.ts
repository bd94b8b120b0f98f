import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'sessions' })
@Index('sessions_active', ['company_id', 'last_request_at'])
@Index('sessions_application', { synchronize: false })
@Index('sessions_name', { synchronize: false })
export class SessionRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') session_id!: string;
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('bigint') request_count!: number;
  @Column('bigint') fault_count!: number;
  @Column('bigint') total_tokens!: number;
  @Column('double precision', { nullable: true }) cost!: number | null;
  @Column('jsonb') metadata!: unknown;
  @Column('text', { nullable: true }) summary!: string | null;
  @Column('int', { nullable: true }) feedback_score!: number | null;
  @Column('text', { nullable: true }) feedback_text!: string | null;
  @Column('int', { nullable: true }) feedback_key_id!: number | null;
  @Column('bigint', { nullable: true }) feedback_at!: number | null;
  @Column('bigint') first_request_at!: number;
  @Column('bigint') last_request_at!: number;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
