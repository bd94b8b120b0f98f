import type { DemoContext } from '../context.js';
import type { PreparedDesk } from './preparation.js';
import { failRun, fallBack } from './retired-model.js';
import { tagRequests } from './tagging.js';

export async function showTraffic({ api, step }: DemoContext, { application }: PreparedDesk): Promise<boolean> {
  const reason = await step(
    'A chat completion whose model is gone, with another one to fall back on',
    () => fallBack(api, application),
    (why) => `the other one has answered (${why ?? 'without a reason'})`,
  );
  const failed = await step(
    'An agent with that model and nothing to fall back on',
    () => failRun(api, application),
    ({ id, status, failure_class }) => `task ${id} is ${status} (${failure_class ?? 'without a reason'})`,
  );
  const tagged = await step(
    'A tag for what was asked about returns, given by a rule',
    () => tagRequests(api, application),
    ({ id, tagged: count, total_requests: total }) => `tag run ${id} has tagged ${count} of ${total} requests`,
  );
  return reason === 'provider_failed' && failed.status === 'FAILED' && tagged.status === 'COMPLETED';
}
