export interface LoadReport {
  succeeded: number;
  failures: unknown[];
}

/** Call repeatedly until stopped. */
export interface Load {
  readonly ended: number;
  stop(): Promise<LoadReport>;
}

/** One call after the other per caller; a failed call is noted and the caller continues. */
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
        // Otherwise calls that fail at once would block the event loop.
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
