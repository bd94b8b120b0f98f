import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Each part is an object of the object store. */
@Entity({ schema: 'workflows', name: 'artifact_parts' })
@Index('artifact_parts_created', ['date_created'])
@Index('artifact_parts_object', ['company_id', 'sha256'])
export class ArtifactPartRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('uuid') upload_id!: string;
  @PrimaryColumn('int') part!: number;
  @Column('text') sha256!: string;
  @Column('int') size_bytes!: number;
  @Column('bigint') date_created!: number;
}

/** One row: when the last sweep of unreferenced objects began. */
@Entity({ schema: 'workflows', name: 'object_sweep' })
export class ObjectSweepRow {
  @PrimaryColumn('boolean') one!: boolean;
  @Column('bigint') began_at!: number;
}
