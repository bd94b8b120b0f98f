import { lastOutcomes } from '../backup/outcomes.js';
import { checked, type Finding, ok, problem, warning } from './finding.js';

const HOUR_MS = 3_600_000;
const ADVICE = 'see the log of what runs signalbox admin backups, then run it with --once';

export function backupFindings(databaseUrl: string, overdueHours: number): Promise<Finding[]> {
  return checked('backups', 'see whether DATABASE_URL is the address of the owner', async () => {
    const outcomes = await lastOutcomes(databaseUrl);
    if (outcomes === null)
      return [warning('backups', 'signalbox admin backups has made none', 'have it run every night')];
    const { verified, last } = outcomes;
    const hours = verified && Math.max(0, Math.floor((Date.now() - verified.at) / HOUR_MS));
    const age = hours === null ? 'none was verified' : `${verified!.name} was verified ${hours} hours ago`;
    if (last.failure !== null) return [problem('backups', `the latest has failed: ${last.failure}; ${age}`, ADVICE)];
    return [(hours ?? 0) > overdueHours ? problem('backups', age, ADVICE) : ok('backups', age)];
  });
}
