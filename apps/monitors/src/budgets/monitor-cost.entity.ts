import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `day` is its beginning in UTC. */
@Entity({ schema: 'monitors', name: 'monitor_costs' })
export class MonitorCostRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint') day!: number;
  @PrimaryColumn('int') monitor_id!: number;
  @Column('double precision') cost!: number;
}
