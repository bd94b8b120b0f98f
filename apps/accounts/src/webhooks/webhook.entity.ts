import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'accounts', name: 'webhooks' })
@Index('webhooks_enabled', { synchronize: false })
export class WebhookRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') url!: string;
  @Column('text', { array: true }) events!: string[];
  @Column('text', { nullable: true }) description!: string | null;
  @Column('boolean') enabled!: boolean;
  @Column('text', { nullable: true }) disabled_reason!: string | null;
  @Column('bytea') secret!: Buffer;
  /** Also signs, until `previous_until`. */
  @Column('bytea', { nullable: true }) previous_secret!: Buffer | null;
  @Column('bigint', { nullable: true }) previous_until!: number | null;
  @Column('text') secret_last4!: string;
  /** Failed deliveries since the last successful one. */
  @Column('int') failed_in_row!: number;
  @Column('bigint', { nullable: true }) last_delivery_at!: number | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
