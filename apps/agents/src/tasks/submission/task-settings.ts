/** How long an invocation waits for its task. */
export class InvokeLimit {
  constructor(readonly ms: number) {}
}

/** How many jobs of one company this process runs at once, of each kind; undefined for the default of the work loop. */
export class CompanyShare {
  constructor(readonly jobs: number | undefined) {}
}

/** A reply needs this long on its way to a caller who still waits. */
export const replyMargin = 2000;
