import type { Signalbox, TestRunsCreateInput, TestRunsExecuteInput } from '@signalbox/sdk';

/** Creates a run that is scored when it has ended, and starts it; returns its id. */
export async function startTestRun(
  { testRuns }: Signalbox,
  fields: Omit<TestRunsCreateInput, 'auto_score'>,
  how: Omit<TestRunsExecuteInput, 'id'> = {},
): Promise<number> {
  const { id } = await testRuns.create({ ...fields, auto_score: true });
  await testRuns.prepare({ id });
  await testRuns.execute({ id, ...how });
  return id;
}
