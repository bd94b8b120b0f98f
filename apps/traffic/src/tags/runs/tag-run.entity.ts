import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The application of tag rules to recorded requests. */
@Entity({ schema: 'traffic', name: 'tag_runs' })
@Index('tag_runs_ended', { synchronize: false })
@Index('tag_runs_of_company', ['company_id', 'no'])
export class TagRunRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') id!: string;
  @Column('bigint', { generated: 'identity' }) no!: number;
  @Column('text') status!: string;
  @Column('text') work_kind!: string;
  @Column('boolean') has_secrets!: boolean;
  @Column('int') last_seq!: number;
  @Column('text', { nullable: true }) failure_class!: string | null;
  @Column('text', { nullable: true }) error_code!: string | null;
  @Column('text', { nullable: true }) error_message!: string | null;
  @Column('int', { array: true }) rule_ids!: number[];
  @Column('jsonb') rules!: unknown;
  @Column('jsonb') filters!: unknown;
  @Column('bigint', { nullable: true }) upto!: number | null;
  @Column('bigint') cursor!: number;
  @Column('int') total_requests!: number;
  @Column('int') processed!: number;
  @Column('int') tagged!: number;
  @Column('int') judgements!: number;
  @Column('int') errors!: number;
  @Column('text', { nullable: true }) last_error!: string | null;
  @Column('bigint') date_created!: number;
  @Column('bigint', { nullable: true }) started_at!: number | null;
  @Column('bigint', { nullable: true }) completed_at!: number | null;
}

/** An event of the stream of a tag run. */
@Entity({ schema: 'traffic', name: 'tag_run_events' })
export class TagRunEventRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') run_id!: string;
  @PrimaryColumn('int') seq!: number;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}

/** An entry of the timeline of a tag run. */
@Entity({ schema: 'traffic', name: 'tag_run_timeline' })
@Index('tag_run_timeline_of_run', ['company_id', 'run_id', 'no'])
export class TagRunTimelineRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) no!: number;
  @Column('uuid') run_id!: string;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}
