import type { EndedCall } from './customers.js';
import type { Reconciliation } from './reconciliation.js';

/** What a scenario did to the calls that were open in it. */
export interface Outcome {
  scenario: string;
  calls: number;
  failures: string[];
  slowest: EndedCall | undefined;
  /** How long each process took from SIGTERM to its end, at most, in milliseconds; null when none got one. */
  stopMs: number | null;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/** A scenario as a row of the table. */
export function rowOf({ scenario, calls, failures, slowest, stopMs }: Outcome): string {
  const slow = slowest ? `${seconds(slowest.ended - slowest.began)} s (${slowest.kind})` : '';
  return `| ${[scenario, calls, failures.length, slow, stopMs === null ? '' : `${seconds(stopMs)} s`].join(' | ')} |`;
}

/** Prints what the scenarios came to, as the table of docs/operations/scale.md has it. */
export function printTable(outcomes: Outcome[], { lost, double, repeatedModelCalls }: Reconciliation): void {
  const lines = ['| Scenario | Calls | Failed | Slowest | Longest stop |', '| --- | --- | --- | --- | --- |'];
  process.stdout.write(
    [
      ...lines,
      ...outcomes.map(rowOf),
      `lost: ${lost.length}, double: ${double.length}, model calls sent again for: ${repeatedModelCalls.length}`,
      ...lost.slice(0, 10),
      ...double.slice(0, 10),
      ...repeatedModelCalls.slice(0, 10),
      ...outcomes.flatMap(({ scenario, failures }) => failures.slice(0, 5).map((each) => `${scenario}: ${each}`)),
      '',
    ].join('\n'),
  );
}
