import type { TenantRow } from '@signalbox/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'tags' })
@Index('tags_name', { synchronize: false })
export class TagRow implements TenantRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('text') tag_name!: string;
  @Column('text', { nullable: true }) color!: string | null;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
  @Column('bigint', { nullable: true }) deleted_at!: number | null;
}

@Entity({ schema: 'traffic', name: 'request_tags' })
@Index('request_tags_date', ['company_id', 'request_date'])
@Index('request_tags_request', ['company_id', 'request_id'])
export class RequestTagRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int') tag_id!: number;
  @PrimaryColumn('uuid') request_id!: string;
  /** `date_created` of the request: retention deletes assignments with the requests of a day. */
  @Column('bigint') request_date!: number;
  @Column('bigint') date_created!: number;
}
