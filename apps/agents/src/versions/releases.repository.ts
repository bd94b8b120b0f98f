import { Injectable } from '@nestjs/common';
import { Database, Releases } from '@signalbox/database';
import { ReleaseGate } from './release-gate.js';
import { AGENT_FAMILY } from './versions.repository.js';

/** Releases of agents. */
@Injectable()
export class AgentReleases extends Releases {
  constructor(db: Database, gate: ReleaseGate) {
    super(db, AGENT_FAMILY, (caller, agentId, version, policy) => gate.judge(caller, agentId, version, policy));
  }
}
