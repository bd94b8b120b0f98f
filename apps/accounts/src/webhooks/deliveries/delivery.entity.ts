import type { DeliveryStatus } from '@signalbox/contracts';
import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'accounts', name: 'webhook_deliveries' })
@Index('webhook_deliveries_event', { synchronize: false })
@Index('webhook_deliveries_of_webhook', ['company_id', 'webhook_id', 'id'])
@Index('webhook_deliveries_pending', { synchronize: false })
@Index('webhook_deliveries_created', { synchronize: false })
export class DeliveryRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('int') webhook_id!: number;
  @Column('uuid') event_id!: string;
  @Column('text') event!: string;
  @Column('text') status!: DeliveryStatus;
  @Column('int') attempt_count!: number;
  @Column('bigint', { nullable: true }) next_attempt_at!: number | null;
  @Column('int', { nullable: true }) last_status_code!: number | null;
  @Column('text', { nullable: true }) last_error!: string | null;
  @Column('text') request_body!: string;
  @Column('text') response_excerpt!: string;
  @Column('int', { nullable: true }) duration_ms!: number | null;
  @Column('int', { nullable: true }) replay_of!: number | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}
