import type { FailureClass } from '@signalbox/contracts';

/** No judgement could be made: the result says nothing of the output. */
export class JudgeFailed extends Error {
  constructor(
    message: string,
    readonly failureClass: FailureClass = 'judge',
  ) {
    super(message);
  }
}
