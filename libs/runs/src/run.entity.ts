import { Column, PrimaryColumn } from 'typeorm';

export abstract class RunColumns {
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
  @Column('bigint') date_created!: number;
  @Column('bigint', { nullable: true }) started_at!: number | null;
  @Column('bigint', { nullable: true }) completed_at!: number | null;
}

/** Where the column of the run is `run_id`. */
export abstract class RunEventColumns {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') run_id!: string;
  @PrimaryColumn('int') seq!: number;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}

/** Where the column of the run is `run_id`. */
export abstract class RunTimelineColumns {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) no!: number;
  @Column('uuid') run_id!: string;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}
