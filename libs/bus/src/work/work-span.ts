import type { Job, Tracing } from '@signalbox/platform';

export async function tracedAttempt(tracing: Tracing, job: Job, perform: () => Promise<void>): Promise<void> {
  const { kind, ref, attempt, companyId, traceparent = null } = job;
  const attributes = {
    'signalbox.work.kind': kind,
    'signalbox.work.ref': ref,
    'signalbox.work.attempt': attempt,
    'signalbox.company_id': companyId,
  };
  await tracing.run(`work ${kind}`, { kind: 'consumer', parent: traceparent, attributes }, perform);
}
