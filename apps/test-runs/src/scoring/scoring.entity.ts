import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'test-runs', name: 'scorings' })
@Index('scorings_of_run', ['company_id', 'run_id', 'criteria_key'], { unique: true })
export class ScoringRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int', { generated: 'identity' }) id!: number;
  @Column('uuid') run_id!: string;
  @Column('text') criteria_key!: string;
  @Column('int', { array: true }) criteria_ids!: number[];
  @Column('json') criteria!: unknown;
  @Column('text') definitions_sha256!: string;
  @Column('boolean') is_partial!: boolean;
  @Column('text') status!: string;
  @Column('int') revision!: number;
  @Column('int') after_position!: number;
  @Column('int') scored!: number;
  @Column('int') total!: number;
  @Column('boolean') is_streamed!: boolean;
  @Column('bigint') date_created!: number;
  @Column('bigint') date_updated!: number;
}
