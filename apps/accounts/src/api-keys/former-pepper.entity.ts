import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The peppers of a former master key, sealed; the table belongs to no company. */
@Entity({ schema: 'accounts', name: 'former_peppers' })
export class FormerPepperRow {
  /** That of the master key. */
  @PrimaryColumn('text') key_id!: string;
  @Column('bytea') sealed!: Buffer;
  @Column('bigint') date_created!: number;
}
