import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When the last sweep of unreferenced objects began; one row. */
@Entity({ schema: 'traffic', name: 'object_sweep' })
export class ObjectSweepRow {
  @PrimaryColumn('boolean') one!: boolean;
  @Column('bigint') began_at!: number;
}
