import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

@Entity({ schema: 'accounts', name: 'audit_log' })
@Unique('audit_log_company_id_message_id_key', ['company_id', 'message_id'])
@Index('audit_log_resource', ['company_id', 'resource_type', 'resource_id', 'id'])
@Index('audit_log_actor', ['company_id', 'actor_key_id', 'id'])
@Index('audit_log_action', ['company_id', 'action', 'id'])
@Index('audit_log_time', ['company_id', 'date_created'])
export class AuditEntryRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: number;
  @Column('text') message_id!: string;
  @Column('int', { nullable: true }) actor_key_id!: number | null;
  @Column('text') action!: string;
  @Column('text') resource_type!: string;
  @Column('text') resource_id!: string;
  @Column('jsonb', { nullable: true }) before!: unknown;
  @Column('jsonb', { nullable: true }) after!: unknown;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('text') request_id!: string;
  @Column('bigint') date_created!: number;
}
