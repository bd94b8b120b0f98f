import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'agents', name: 'task_events' })
export class TaskEventRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') task_id!: string;
  @PrimaryColumn('int') seq!: number;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}

@Entity({ schema: 'agents', name: 'task_timeline' })
@Index('task_timeline_of_session', ['company_id', 'session_no', 'no'])
@Index('task_timeline_of_task', ['company_id', 'task_id', 'no'])
export class TaskTimelineRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) no!: number;
  @Column('uuid') task_id!: string;
  @Column('int') session_no!: number;
  @Column('text') type!: string;
  @Column('jsonb') data!: unknown;
  @Column('bigint') timestamp!: number;
}
