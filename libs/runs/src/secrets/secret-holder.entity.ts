import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The lease of a process that holds secrets of runs. */
@Entity({ name: 'secret_holders' })
export class SecretHolderRow {
  @PrimaryColumn('uuid') holder!: string;
  @Column('timestamptz') alive_until!: Date;
  @Column('text', { nullable: true }) public_key!: string | null;
  @Column('timestamptz') since!: Date;
}
