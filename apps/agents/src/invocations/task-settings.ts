export class InvokeLimit {
  constructor(readonly ms: number) {}
}

/** Time in ms for a reply to reach a caller that still waits. */
export const replyMargin = 2000;
