import type { FailureClass } from '@signalbox/contracts';

/** No judgement could be made: a result of this class, which says nothing of the output. */
export class JudgeFailed extends Error {
  constructor(
    message: string,
    readonly failureClass: FailureClass = 'judge',
  ) {
    super(message);
  }
}
