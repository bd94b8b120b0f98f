import type { Reconciliation } from './reconciliation.js';
import type { World } from './world.js';

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/** Prints what the scenarios came to, as the table of docs/operations/scale.md has it. */
export function printTable({ outcomes }: World, { lost, double, repeatedModelCalls }: Reconciliation): void {
  const rows = outcomes.map(({ scenario, calls, failures, slowest, stopMs }) => {
    const slow = slowest ? `${seconds(slowest.ended - slowest.began)} s (${slowest.kind})` : '';
    return [scenario, calls, failures.length, slow, stopMs === null ? '' : `${seconds(stopMs)} s`].join(' | ');
  });
  const lines = ['| Scenario | Calls | Failed | Slowest | Longest stop |', '| --- | --- | --- | --- | --- |'];
  process.stdout.write(
    [
      ...lines,
      ...rows.map((row) => `| ${row} |`),
      `lost: ${lost.length}, double: ${double.length}, model calls sent again: ${repeatedModelCalls}`,
      ...lost.slice(0, 10),
      ...double.slice(0, 10),
      ...outcomes.flatMap(({ scenario, failures }) => failures.slice(0, 5).map((each) => `${scenario}: ${each}`)),
      '',
    ].join('\n'),
  );
}
