/** How long an invocation waits for its task. */
export class InvokeLimit {
  constructor(readonly ms: number) {}
}

/** A reply needs this long on its way to a caller who still waits. */
export const replyMargin = 2000;
