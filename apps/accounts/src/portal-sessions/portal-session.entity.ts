import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A session of a browser, or a ticket to open one. The token is stored only as a keyed hash. */
@Entity({ schema: 'accounts', name: 'portal_sessions' })
@Unique('portal_sessions_token', ['token_hash'])
@Index('portal_sessions_expired', ['expires_at'])
@Index('portal_sessions_last_seen', ['last_seen_at'])
export class PortalSessionRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') api_key_id!: number;
  @Column('bytea') token_hash!: Buffer;
  @Column('boolean') is_ticket!: boolean;
  @Column('bigint') last_seen_at!: number;
  @Column('bigint') expires_at!: number;
  @Column('text') user_agent!: string;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
