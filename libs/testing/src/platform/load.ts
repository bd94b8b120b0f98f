/** What became of the calls of a load. */
export interface LoadReport {
  succeeded: number;
  failures: unknown[];
}

/** Callers that call again and again until they are stopped. */
export interface Load {
  /** Calls that have ended so far. */
  readonly ended: number;
  /** Lets the calls in flight end and reports all of them. */
  stop(): Promise<LoadReport>;
}

/** Starts callers that each make one call after the other; a failed call is noted and the caller continues. */
export function startLoad(callers: number, call: (caller: number) => Promise<unknown>): Load {
  const report: LoadReport = { succeeded: 0, failures: [] };
  let stopped = false;
  const callAgain = async (caller: number): Promise<void> => {
    while (!stopped) {
      try {
        await call(caller);
        report.succeeded++;
      } catch (error) {
        report.failures.push(error);
        // Without it a call that fails at once would keep the event loop to itself.
        await new Promise(setImmediate);
      }
    }
  };
  const running = Array.from({ length: callers }, (_, caller) => callAgain(caller));
  return {
    get ended() {
      return report.succeeded + report.failures.length;
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
      return report;
    },
  };
}
