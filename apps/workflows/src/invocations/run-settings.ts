export class ExecuteLimit {
  constructor(readonly ms: number) {}
}

/** In ms, for the reply to reach a caller before its deadline. */
export const replyMargin = 2000;
