import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, releaseGates } from '@signalbox/contracts';
import { gateVerdict, nothingMatches } from './gate.js';
import { GatedRuns } from './gated-runs.repository.js';

type C = typeof releaseGates;

@Serves(releaseGates)
export class ReleaseGateHandlers implements Handlers<C> {
  constructor(private readonly runs: GatedRuns) {}

  async judgeVersion({ input: { policy, ...version }, caller: { companyId } }: CallTo<C, 'judgeVersion'>) {
    const { test_set_id } = policy;
    const run = await this.runs.newest(companyId, { ...version, test_set_id });
    return run ? gateVerdict({ ...run, noun: 'test run' }, policy, run.now) : nothingMatches('test run');
  }

  async judgeCheck({ input: { check, policy }, caller: { companyId } }: CallTo<C, 'judgeCheck'>) {
    await this.runs.requireSet(companyId, policy.test_set_id);
    if (!check) return nothingMatches('check');
    const { id: no, error_count: errors, completed_at, started_at = completed_at, ...counts } = check;
    const stale = await this.runs.staleSince(companyId, policy.test_set_id, started_at, counts.total);
    const run = {
      ...counts,
      ...stale,
      no,
      errors,
      completed_at,
      scored_at: completed_at,
      cancelled_at: null,
      scoring: null,
    };
    return gateVerdict({ noun: 'check', ...run, hasCriteriaOfSet: true }, policy, stale.now);
  }
}
