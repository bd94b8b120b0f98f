import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, releaseGates } from '@signalbox/contracts';
import { gateVerdict } from './gate.js';
import { GatedRuns } from './gated-runs.repository.js';

type C = typeof releaseGates;

/** Judges versions for the services that move releases. */
@Serves(releaseGates)
export class ReleaseGateHandlers implements Handlers<C> {
  constructor(private readonly runs: GatedRuns) {}

  async judgeVersion({ input: { policy, ...version }, caller: { companyId } }: CallTo<C, 'judgeVersion'>) {
    const { test_set_id } = policy;
    return gateVerdict(await this.runs.newest(companyId, { ...version, test_set_id }), policy, Date.now());
  }
}
