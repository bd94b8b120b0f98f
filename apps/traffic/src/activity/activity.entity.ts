import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'activity' })
@Index('activity_group', { synchronize: false })
export class ActivityRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('int') application_id!: number;
  @PrimaryColumn('int') intent_id!: number;
  @Column('int', { nullable: true }) intent_group_id!: number | null;
  @PrimaryColumn('text') model!: string;
  @Column('bigint') request_count!: number;
  @Column('bigint') last_activity!: number;
}
