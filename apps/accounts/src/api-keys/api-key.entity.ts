import type { Scope } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** The secret is stored only as keyed hashes. */
@Entity({ schema: 'accounts', name: 'api_keys' })
@Unique('api_keys_key_id_key', ['key_id'])
export class ApiKeyRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') name!: string;
  @Column('text') key_id!: string;
  /** As 0.1.0 computes it. */
  @Column('bytea') key_hash!: Buffer;
  @Column('bytea', { nullable: true }) key_hmac!: Buffer | null;
  @Column('text') last4!: string;
  @Column('text', { array: true }) scopes!: Scope[];
  @Column('bigint', { nullable: true }) expires_at!: number | null;
  @Column('bigint', { nullable: true }) last_used_at!: number | null;
  @Column('bigint', { nullable: true }) revoked_at!: number | null;
  @Column('bigint', { nullable: true }) rotated_at!: number | null;
  @Column('int', { nullable: true }) created_by_key_id!: number | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
