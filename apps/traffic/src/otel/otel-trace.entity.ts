import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'traffic', name: 'otel_traces' })
@Index('otel_traces_kept', { synchronize: false })
@Index('otel_traces_due', { synchronize: false })
export class OtelTraceRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') trace_id!: string;
  @Column('int') record_count!: number;
  @Column('bigint') bytes!: number;
  @Column('boolean') is_test!: boolean;
  @Column('text', { nullable: true }) caller_span_id!: string | null;
  @Column('bigint') first_arrival!: number;
  @Column('bigint') last_arrival!: number;
  /** When the trace is assembled next, while it is open. */
  @Column('bigint') due_at!: number;
  @Column('int') attempts!: number;
  @Column('bigint', { nullable: true }) closed_at!: number | null;
  @Column('bigint', { nullable: true }) pruned_at!: number | null;
}

@Entity({ schema: 'traffic', name: 'otel_records' })
export class OtelRecordRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') trace_id!: string;
  @PrimaryColumn('text') record_id!: string;
  @Column('text') signal!: string;
  @Column('bigint') received_at!: number;
  @Column('boolean') is_request!: boolean;
  @Column('boolean') is_recorded!: boolean;
  @Column('json') content!: unknown;
}
