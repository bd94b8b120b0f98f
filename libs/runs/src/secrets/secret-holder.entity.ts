import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'secret_holders' })
export class SecretHolderRow {
  @PrimaryColumn('uuid') holder!: string;
  @Column('timestamptz') alive_until!: Date;
  @Column('text', { nullable: true }) public_key!: string | null;
  @Column('timestamptz') since!: Date;
}
