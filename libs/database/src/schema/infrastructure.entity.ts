import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

// Every service schema has these tables: TypeORM uses the schema of the data source for entities without one. Indexes
// without columns are those that TypeORM cannot describe: partial, or not B-tree.

@Entity({ name: 'outbox' })
@Index('outbox_sent', { synchronize: false })
@Index('outbox_unsent_audit', { synchronize: false })
@Index('outbox_unsent_events', { synchronize: false })
export class OutboxRow {
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: number;
  @Column('uuid') message_id!: string;
  @Column('int') company_id!: number;
  @Column('text') subject!: string;
  @Column('text') payload!: string;
  @Column('bigint') date_created!: number;
  @Column('bigint', { nullable: true }) sent_at!: number | null;
  @Column('text', { nullable: true }) traceparent!: string | null;
}

@Entity({ name: 'inbox' })
@Index('inbox_created', { synchronize: false })
export class InboxRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') consumer!: string;
  @PrimaryColumn('text') message_id!: string;
  @Column('bigint') date_created!: number;
}

@Entity({ name: 'dead_letters' })
@Unique('dead_letters_consumer_message_id_key', ['consumer', 'message_id'])
export class DeadLetterRow {
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: number;
  @Column('int') company_id!: number;
  @Column('text') consumer!: string;
  @Column('text') message_id!: string;
  @Column('text') subject!: string;
  @Column('text') payload!: string;
  @Column('text') cause!: string;
  @Column('bigint') date_created!: number;
}

/** `kind` names the handler and `ref` the row that the job is about. */
@Entity({ name: 'work' })
@Unique('work_company_id_kind_ref_key', ['company_id', 'kind', 'ref'])
@Index('work_done', { synchronize: false })
@Index('work_due', { synchronize: false })
@Index('work_leased', { synchronize: false })
@Index('work_held', { synchronize: false })
@Index('work_failing', { synchronize: false })
export class WorkRow {
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: number;
  @Column('int') company_id!: number;
  @Column('text') kind!: string;
  @Column('text') ref!: string;
  @Column('timestamptz') due_at!: Date;
  @Column('uuid', { nullable: true }) lease_owner!: string | null;
  @Column('int') fence!: number;
  @Column('int') attempt!: number;
  @Column('timestamptz', { nullable: true }) done_at!: Date | null;
  @Column('timestamptz', { nullable: true }) again_at!: Date | null;
  @Column('timestamptz', { nullable: true }) failing_since!: Date | null;
  @Column('text', { nullable: true }) traceparent!: string | null;
}

@Entity({ name: 'idempotency' })
@Index('idempotency_created', ['date_created'])
export class IdempotencyRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') route!: string;
  @PrimaryColumn('text') key!: string;
  @Column('text') body_hash!: string;
  @Column('bigint') locked_until!: number;
  @Column('uuid', { nullable: true }) holder!: string | null;
  @Column('text', { nullable: true }) effect!: string | null;
  @Column('int', { nullable: true }) status!: number | null;
  @Column('text', { nullable: true }) reply!: string | null;
  @Column('bigint') date_created!: number;
}

@Entity({ name: 'bus_state' })
export class BusStateRow {
  @PrimaryColumn('int') id!: number;
  @Column('text', { nullable: true }) stream_birth!: string | null;
  @Column('text', { nullable: true }) audit_created!: string | null;
}

export const INFRASTRUCTURE_ENTITIES = [OutboxRow, InboxRow, DeadLetterRow, WorkRow, IdempotencyRow, BusStateRow];
