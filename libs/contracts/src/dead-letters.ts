import { defineContract } from './contract.js';
import { list } from './contract/outputs.js';
import { Count, Default, Description, Epoch, Id, Int, List, ListOf, Optional, Str } from './fields/fields.js';
import { intType } from './fields/field-types.js';
import { EmptyInput } from './shapes.js';

/** Limit of the ids of one call and of the rows of one reply. */
export const MAX_DEAD_LETTERS = 100;

/** A message that a consumer of a service could not apply, or that the bus refused, without its content. */
export class DeadLetter {
  @Id() id!: number;
  /** 0 when the subject names no company. */
  @Int(0) company_id!: number;
  /** `outbox` for a message that the bus refused. */
  @Str() consumer!: string;
  @Str() message_id!: string;
  @Str() subject!: string;
  @Str(0, 1_000_000) cause!: string;
  @Count() bytes!: number;
  @Epoch() date_created!: number;
}

class ListDeadLetters {
  @Str(1, 200) @Optional() consumer?: string;
  /** Letters with a greater id. */
  @Int(0, Number.MAX_SAFE_INTEGER) @Default(0) after!: number;
}
class ChosenDeadLetters {
  @List(intType(1, Number.MAX_SAFE_INTEGER), 1, MAX_DEAD_LETTERS) ids!: number[];
}
/** A dead letter that still cannot be applied. */
export class FailedReplay {
  @Id() id!: number;
  @Str(0, 1_000_000) cause!: string;
}
/** The outcome of applying dead letters again. */
export class ReplayedDeadLetters {
  @List(intType(1, Number.MAX_SAFE_INTEGER)) replayed!: number[];
  @ListOf(() => FailedReplay) failed!: FailedReplay[];
}
class DroppedDeadLetters {
  @List(intType(1, Number.MAX_SAFE_INTEGER)) dropped!: number[];
}

/** Messages of a service that the stream of events has discarded and the service still has. */
export class DiscardedEvents {
  @Count() @Description('100000 stands for more') messages!: number;
}
class ResendDiscarded {
  @Epoch() @Optional() @Description('From the reply before; what was sent later is left') until?: number;
}
/** A slice of them that is sent again. */
export class ResentEvents extends DiscardedEvents {
  @Epoch() until!: number;
}

/** Internal: the messages of one service that were given up, for the operator. */
export const deadLettersOf = (service: string) =>
  defineContract(
    { name: `dead-letters-${service}`, service, tag: 'Internal' },
    {
      listDeadLetters: {
        summary: 'List dead letters by id',
        input: ListDeadLetters,
        output: list(DeadLetter),
        placement: { onWorkers: true },
      },
      replayDeadLetters: {
        summary: 'Apply dead letters again; an applied one is deleted',
        input: ChosenDeadLetters,
        output: ReplayedDeadLetters,
        placement: { onWorkers: true },
      },
      dropDeadLetters: {
        summary: 'Delete dead letters',
        input: ChosenDeadLetters,
        output: DroppedDeadLetters,
        placement: { onWorkers: true },
      },
      countDiscardedEvents: {
        summary: 'Count the messages that the stream of events has discarded',
        input: EmptyInput,
        output: DiscardedEvents,
        placement: { onWorkers: true },
      },
      resendDiscardedEvents: {
        summary: 'Send a slice of them again, the earliest first; none is left when it is empty',
        input: ResendDiscarded,
        output: ResentEvents,
        placement: { onWorkers: true },
      },
    },
  );
