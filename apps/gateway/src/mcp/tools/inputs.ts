import { Count, Default, Description, Id, Int, OneOf, RELEASE_PARENTS, Slug } from '@signalbox/contracts';

/** How long a run is waited for at most: its answer, or its handle, has to arrive within 50 s. */
const MAX_WAIT_SECONDS = 45;

/** The field that continues an answer that was cut. */
export class Continued {
  @Count() @Default(0) @Description('Where «more» said to go on') from!: number;
}

/** The field of tools that wait for a run. */
export class WithWait {
  @Int(0, MAX_WAIT_SECONDS) @Default(MAX_WAIT_SECONDS) wait_seconds!: number;
}

/** What has versions and releases. */
export class Versioned {
  @OneOf(RELEASE_PARENTS) kind!: (typeof RELEASE_PARENTS)[number];
  @Id() id!: number;
}

/** A release of it. */
export class NamedRelease extends Versioned {
  @Slug() release!: string;
}
