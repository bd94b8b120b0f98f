import { Count, Default, Description, Id, Int, OneOf, RELEASE_PARENTS, Slug } from '@signalbox/contracts';

/** The reply has to be sent within 50 s. */
const MAX_WAIT_SECONDS = 45;

export class Continued {
  @Count() @Default(0) @Description('Where «more» said to go on') from!: number;
}

export class WithWait {
  @Int(0, MAX_WAIT_SECONDS) @Default(MAX_WAIT_SECONDS) wait_seconds!: number;
}

export class Versioned {
  @OneOf(RELEASE_PARENTS) kind!: (typeof RELEASE_PARENTS)[number];
  @Id() id!: number;
}

export class NamedRelease extends Versioned {
  @Slug() release!: string;
}
