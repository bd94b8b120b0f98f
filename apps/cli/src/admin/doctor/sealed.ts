import { masterKeysOf, type Platform } from '../../launcher/service-environment.js';
import { countAll, withSessions } from '../rotation/rotate-master-key.js';
import { checked, type Finding, ok, problem, warning } from './finding.js';

const CONNECT = 'see whether DATABASE_URL is right and all migrations have run';

export function sealFindings(platform: Platform): Promise<Finding[]> {
  return checked('master key', CONNECT, async () => {
    const counts = Object.values(await withSessions(platform, (sessions) => countAll(sessions, platform)));
    const total = counts.reduce((sum, each) => sum + each.total, 0);
    const others = counts.reduce((sum, each) => sum + each.others, 0);
    return [findingOf(platform, total, others)];
  });
}

function findingOf(platform: Platform, total: number, others: number): Finding {
  const area = 'master key';
  const { next, previous } = masterKeysOf(platform);
  const page = 'docs/operations/rotate.md';
  if (previous !== null)
    return others > 0
      ? warning(area, `${others} of ${total} sealed values need the previous one`, 'run admin rotate-master-key')
      : warning(
          area,
          `it opens all ${total} sealed values`,
          `retire MASTER_KEY_PREVIOUS a day after the restart: ${page}`,
        );
  if (others > 0)
    return problem(
      area,
      `${others} of ${total} sealed values do not open with it`,
      'give the key that sealed them as MASTER_KEY_PREVIOUS, and run admin rotate-master-key',
    );
  return next !== null
    ? warning(area, 'the next one is accepted', `restart every process, then make it MASTER_KEY: ${page}`)
    : ok(area, `it opens all ${total} sealed values`);
}
