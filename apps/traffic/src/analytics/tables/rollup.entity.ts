import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

// The keys of these tables hold nulls, so they are unique indexes in which nulls are equal. TypeORM requires a primary
// key of columns that are not null; it gets columns of those keys.

abstract class PlaceColumns {
  @Column('int', { nullable: true }) application_id!: number | null;
  @Column('int', { nullable: true }) intent_id!: number | null;
  @Column('int', { nullable: true }) intent_group_id!: number | null;
  @Column('int', { nullable: true }) agent_id!: number | null;
  @Column('text') model!: string;
  @Column('text') request_type!: string;
  @Column('int', { nullable: true }) workflow_id!: number | null;
  @Column('text', { nullable: true }) release!: string | null;
}

/** Sums over requests; the two sketches are those of latency-sketch.ts. */
abstract class MetricColumns extends PlaceColumns {
  @Column('bigint') recorded!: number;
  @Column('bigint') deleted!: number;
  @Column('bigint') failed!: number;
  @Column('bigint') fallbacks!: number;
  @Column('bigint') corrected!: number;
  @Column('bigint') evaluated!: number;
  @Column('bigint') faults!: number;
  @Column('bigint') errors!: number;
  @Column('bigint') prompt_tokens!: number;
  @Column('bigint') completion_tokens!: number;
  @Column('bigint') total_tokens!: number;
  @Column('bigint') priced!: number;
  @Column('numeric') cost!: string;
  @Column('bigint') timed!: number;
  @Column('bigint') response_ms!: number;
  @Column('bytea') latencies!: Buffer;
  @Column('bytea') first_tokens!: Buffer;
}

/** Changes of counts that are not in the rollups yet. */
@Entity({ schema: 'traffic', name: 'rollup_changes' })
export class RollupChangeRow extends MetricColumns {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('bigint', { generated: 'identity' }) id!: number;
  @Column('bigint') starts!: number;
  @Column('bigint') settled!: number;
  @Column('text', { array: true, nullable: true }) sessions!: string[] | null;
  @Column('bigint', { nullable: true }) last_at!: number | null;
}

/** Counts of an hour or a day by every dimension. */
@Entity({ schema: 'traffic', name: 'request_rollups' })
@Index('request_rollups_age', { synchronize: false })
@Index('request_rollups_place', { synchronize: false })
export class RequestRollupRow extends MetricColumns {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') unit!: string;
  @PrimaryColumn('bigint') starts!: number;
  @Column('bigint') settled!: number;
}

@Entity({ schema: 'traffic', name: 'session_places' })
@Index('session_places_age', { synchronize: false })
export class SessionPlaceRow extends PlaceColumns {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') session_id!: string;
  @Column('bigint') starts!: number;
  @Column('boolean') wanders!: boolean;
}

@Entity({ schema: 'traffic', name: 'wandering_places' })
@Index('wandering_places_age', { synchronize: false })
@Index('wandering_places_crossing', { synchronize: false })
@Index('wandering_places_hours', ['company_id', 'starts'])
@Index('wandering_places_place', { synchronize: false })
export class WanderingPlaceRow extends PlaceColumns {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') session_id!: string;
  @PrimaryColumn('bigint') starts!: number;
  @Column('boolean') crosses!: boolean;
}

/** Counts of an hour or a day by one dimension, `kind`, which the table is partitioned by. */
@Entity({ schema: 'traffic', name: 'request_series' })
@Index('request_series_key', { synchronize: false })
export class RequestSeriesRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') unit!: string;
  @PrimaryColumn('bigint') starts!: number;
  @PrimaryColumn('text') kind!: string;
  @Column('text', { nullable: true }) key!: string | null;
  @Column('bigint') recorded!: number;
  @Column('bigint') deleted!: number;
  @Column('bigint') failed!: number;
  @Column('bigint') fallbacks!: number;
  @Column('bigint') corrected!: number;
  @Column('bigint') evaluated!: number;
  @Column('bigint') faults!: number;
  @Column('bigint') errors!: number;
  @Column('bigint') prompt_tokens!: number;
  @Column('bigint') completion_tokens!: number;
  @Column('bigint') total_tokens!: number;
  @Column('bigint') priced!: number;
  @Column('numeric') cost!: string;
  @Column('bigint') timed!: number;
  @Column('bigint') response_ms!: number;
  @Column('bigint') sessions!: number;
  @Column('bytea') latencies!: Buffer;
  @Column('bytea') first_tokens!: Buffer;
}
