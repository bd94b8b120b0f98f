import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the judgements of a monitor have cost on a day (UTC). */
@Entity({ schema: 'monitors', name: 'monitor_costs' })
export class MonitorCostRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint') day!: number;
  @PrimaryColumn('int') monitor_id!: number;
  @Column('double precision') cost!: number;
}
