import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The sealed peppers of a former master key; belongs to no company. */
@Entity({ schema: 'accounts', name: 'former_peppers' })
export class FormerPepperRow {
  /** Of the master key. */
  @PrimaryColumn('text') key_id!: string;
  @Column('bytea') sealed!: Buffer;
  @Column('bigint') date_created!: number;
}
